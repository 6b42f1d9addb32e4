/** What the search for cgroups sees of a machine. A live tree reads the file system, a recorded one a fixture. */
export interface CgroupTree {
  /** The text of a file, or `undefined` when it is missing or unreadable. */
  readFile(path: string): string | undefined;
  isDirectory(path: string): boolean;
  /** Whether this process may write: its user, the mount's read-only flag and the file's mode taken together. */
  canWrite(path: string): boolean;
}
