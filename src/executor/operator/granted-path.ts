import { realpathSync } from 'node:fs';
import type { Finding } from '../../protocol/index.ts';
import { HookcellError } from '../../protocol/index.ts';
import { isWithin } from '../within.ts';

export type GrantedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly code: 'missing_path' | 'path_escapes'; readonly message: string };

/** The real path of a grant. A link that the repository holds must not widen what the operator wrote. */
export function grantedPath(path: string, projectRoot: string): GrantedPath {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return { ok: false, code: 'missing_path', message: `expected an existing path, got ${path}; make it first` };
  }
  if (!isWithin(projectRoot, path) || isWithin(projectRoot, real)) return { ok: true, path: real };
  const message = `expected a path in the project, got ${path}, which a symbolic link leads to ${real}; name that path if it is what you mean`;
  return { ok: false, code: 'path_escapes', message };
}

/**
 * A path of the options, which the operator names for this run.
 *
 * @throws {HookcellError} `invalid_options`.
 */
export function operatorPath(path: string, projectRoot: string, pointer: string): string {
  const found = grantedPath(path, projectRoot);
  if (found.ok) return found.path;
  throw badPath(found.code, found.message, pointer);
}

/** @throws {HookcellError} `invalid_options`. */
export function existingPath(path: string, pointer: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw badPath('missing_path', `expected an existing path, got ${path}; make it first`, pointer, cause);
  }
}

function badPath(code: Finding['code'], message: string, pointer: string, cause?: unknown): HookcellError {
  return new HookcellError('invalid_options', `${message} (${pointer})`, {
    findings: [{ code, message, file: 'options', pointer }],
    cause,
  });
}
