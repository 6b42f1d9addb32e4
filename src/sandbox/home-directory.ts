import { homedir, userInfo } from 'node:os';

/**
 * The operator's home directory, which no grant may hold as a whole: from the user database, else (as for a user id that is
 * in none, which containers like to run with) what `HOME` says, else the root directory.
 */
export function operatorHome(): string {
  for (const find of [() => userInfo().homedir, homedir]) {
    try {
      const home = find();
      if (home.startsWith('/')) return home;
    } catch {
      // Node throws for a user without an entry.
    }
  }
  return '/';
}
