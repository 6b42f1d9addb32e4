/** Whether the absolute `path` is `root` or lies below it. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
