import { readdirSync, readFileSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/**
 * Descriptors that a child spawned now would inherit although nobody meant to pass them. Node marks its own close-on-exec,
 * but not those that it was started with (libuv stops at the first gap), and these may be anything: a terminal, a socket, a key file.
 */
export function inheritedDescriptors(first: number): number[] {
  const inherited: number[] = [];
  for (const name of readdirSync('/proc/self/fdinfo')) {
    const descriptor = Number(name);
    if (descriptor < first) continue;
    const flags = flagsOf(descriptor);
    if (flags !== undefined && (flags & O_CLOEXEC) === 0) inherited.push(descriptor);
  }
  return inherited;
}

function flagsOf(descriptor: number): number | undefined {
  try {
    const match = /^flags:\s*([0-7]+)/mu.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'));
    return match?.[1] === undefined ? undefined : Number.parseInt(match[1], 8);
  } catch {
    // The descriptor of this very listing, or one that was closed meanwhile.
    return undefined;
  }
}
