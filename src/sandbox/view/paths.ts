/** Whether the absolute, normal `path` is `directory` or lies below it. */
export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}
