import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Remark, Vector } from '../protocol/index.ts';
import { nearestPacks } from './nearest-packs.ts';
import type { VectorRunOptions } from './options.ts';

/** Resolves the paths of one vector, and remarks on those that it may not name. */
export class Places {
  readonly remarks: Remark[] = [];
  /** What the vector may name things in: it comes from a repository, and must not show a hook what lies outside. */
  readonly #roots: readonly string[];
  readonly #base: string;
  readonly #nearest: ReturnType<typeof nearestPacks>;
  readonly #cwd: string;

  constructor(base: string, cwd: string, { grant }: VectorRunOptions) {
    this.#base = base;
    this.#cwd = cwd;
    this.#nearest = nearestPacks(base);
    this.#roots = [base, cwd, ...(this.#nearest === undefined ? [] : [this.#nearest.root]), ...(grant?.read ?? [])];
  }

  get project(): string {
    return this.#nearest?.root ?? this.#base;
  }

  async packs(named: Vector['packs']): Promise<string[]> {
    if (named === undefined) {
      if (this.#nearest !== undefined) return [...this.#nearest.packs];
      const message = 'found no packs up the tree (.hookcell/hooks, packs); name some by "packs"';
      this.remarks.push({ code: 'no_packs', message, path: [] });
      return [];
    }
    const list = typeof named === 'string' ? [named] : named;
    return Promise.all(
      list.map(async (path, index) => this.inside(path, typeof named === 'string' ? ['packs'] : ['packs', index])),
    );
  }

  async inside(path: string, at: Remark['path']): Promise<string> {
    const real = await this.#real(path, at);
    if (real !== undefined && !(await this.#within(real, this.#roots))) {
      const message = `leads outside of the project and of the working directory, to ${real}; run the vectors from a directory that holds both`;
      this.remarks.push({ code: 'outside', message, path: at });
    }
    return real ?? this.#base;
  }

  async granted(name: 'read' | 'write', paths: readonly string[] = [], roots: readonly string[]): Promise<string[]> {
    const found = await Promise.all(
      paths.map(async (path, index) => {
        const at = ['options', name, index];
        const real = await this.#real(path, at);
        if (real === undefined) return [];
        if (!(await this.#within(real, roots))) this.beyond(`${name} ${path}`, `--${name} ${real}`, name, at);
        return [real];
      }),
    );
    return found.flat();
  }

  beyond(what: string, flag: string, key: string, path: Remark['path']): void {
    const message = `asks for ${what}, which a vector cannot grant itself; to grant it: hookcell test ${flag} (grant.${key} in the library)`;
    this.remarks.push({ code: 'untrusted', message, path });
  }

  async #real(path: string, at: Remark['path']): Promise<string | undefined> {
    const absolute = resolve(this.#base, path);
    const real = await realpath(absolute).catch(() => undefined);
    if (real === undefined) {
      const message = `expected an existing path, got ${absolute}; paths are relative to the vector`;
      this.remarks.push({ code: 'missing_path', message, path: at });
    }
    return real;
  }

  async #within(path: string, roots: readonly string[]): Promise<boolean> {
    for (const root of roots) {
      const real = await realpath(resolve(this.#cwd, root)).catch(() => undefined);
      if (real !== undefined && (path === real || path.startsWith(real.endsWith('/') ? real : `${real}/`))) return true;
    }
    return false;
  }
}
