import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SetEntry, TrustRecord } from '../../../src/executor/trust/trust-record.ts';
import { setHash } from '../../../src/executor/trust/trust-record.ts';
import type { TrustStore } from '../../../src/executor/trust/trust-store.ts';
import { openTrustStore } from '../../../src/executor/trust/trust-store.ts';
import { liveTest, root as isRoot } from '../../support/capability.ts';
import { scratchDirectory } from '../../support/view.ts';

const entry = (path: string, text: string): SetEntry => ({ path, mode: '-', sha256: hashes[text] ?? '' });
/** SHA-256 of the texts. */
const hashes: Readonly<Record<string, string>> = {
  a: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb',
  b: '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d',
};

function recordOf(project: string, texts: readonly string[] = ['a']): TrustRecord {
  const entries = texts.map((text) => entry(`${text}.json`, text));
  const packs = entries.map(({ path }) => path);
  const acceptedAt = '2026-01-01T00:00:00.000Z';
  return {
    version: 1,
    project,
    owner: 0,
    acceptedAt,
    hash: setHash(entries),
    entries,
    packs,
    agents: [],
    required: false,
  };
}

const contentsOf = (texts: readonly string[]) =>
  texts.map((text) => ({ sha256: hashes[text] ?? '', bytes: Buffer.from(text) }));

interface Opened {
  readonly state: string;
  readonly directory: string;
  readonly store: TrustStore;
}

async function openedStore(project = '/p'): Promise<Opened> {
  const state = join(scratchDirectory(), 'state');
  const store = openTrustStore(state);
  await store.accept(recordOf(project), contentsOf(['a']));
  return { state, directory: join(state, 'trust'), store };
}

const refused = expect.objectContaining({ code: 'invalid_configuration' });
function refusalOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe('a record', () => {
  test('comes back as it was written, and only for its project', async () => {
    const { store } = await openedStore();
    expect(store.read('/p')).toEqual(recordOf('/p'));
    expect(store.has('/p')).toBe(true);
    for (const other of ['/', '/p/', '/P', '/p/sub', '/q']) expect([other, store.has(other)]).toEqual([other, false]);
    expect(Buffer.from(store.content('/p', hashes['a'] ?? '') ?? []).toString()).toBe('a');
  });

  test('is replaced whole, and the content that it does not name goes', async () => {
    const { store, directory } = await openedStore();
    await store.accept(recordOf('/p', ['b']), contentsOf(['b']));
    expect(store.list()).toEqual([recordOf('/p', ['b'])]);
    expect(store.content('/p', hashes['a'] ?? '')).toBeUndefined();
    expect(readdirSync(directory)).toHaveLength(2);
  });

  test('is forgotten, once', async () => {
    const { store, directory } = await openedStore();
    expect(await store.revoke('/q')).toBe(false);
    expect(await store.revoke('/p')).toBe(true);
    expect(await store.revoke('/p')).toBe(false);
    expect([store.has('/p'), store.read('/p'), readdirSync(directory)]).toEqual([false, undefined, []]);
  });

  test('is written by many at once: one of them wins, whole', async () => {
    const { store, state } = await openedStore();
    const writers = Array.from({ length: 20 }, (_, index) => [index % 2 === 0 ? 'a' : 'b']);
    await Promise.all(writers.map((texts) => openTrustStore(state).accept(recordOf('/p', texts), contentsOf(texts))));
    expect([recordOf('/p', ['a']), recordOf('/p', ['b'])]).toContainEqual(store.read('/p'));
    expect(readdirSync(join(state, 'trust')).filter((name) => name.endsWith('.json'))).toHaveLength(1);
  });

  test('nothing is trusted where there is no store', () => {
    const store = openTrustStore(join(scratchDirectory(), 'none'));
    expect([store.has('/p'), store.read('/p'), store.list()]).toEqual([false, undefined, []]);
  });

  test('the store, its records and its content are private', async () => {
    const { directory } = await openedStore();
    for (const name of ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })])
      expect([name, statSync(join(directory, name)).mode & 0o077]).toEqual([name, 0]);
  });
});

const fileOf = (directory: string): string =>
  join(directory, readdirSync(directory).find((name) => name.endsWith('.json')) ?? '');

describe('a store that is not this user’s alone is refused, and so is every decision', () => {
  test.each<[string, (opened: Opened) => void]>([
    ['others may read the directory', ({ directory }) => chmodSync(directory, 0o755)],
    ['others may write to the directory', ({ directory }) => chmodSync(directory, 0o777)],
    ['others may write to the state directory', ({ state }) => chmodSync(state, 0o777)],
    ['others may write to the record', ({ directory }) => chmodSync(fileOf(directory), 0o666)],
    [
      'the directory is a link',
      ({ directory }) => {
        renameSync(directory, `${directory}.moved`);
        symlinkSync(`${directory}.moved`, directory);
      },
    ],
    [
      'the record is a link',
      ({ directory }) => {
        const file = fileOf(directory);
        renameSync(file, `${file}.moved`);
        symlinkSync(`${file}.moved`, file);
      },
    ],
    [
      'the record is a directory',
      ({ directory }) => {
        const file = fileOf(directory);
        rmSync(file);
        mkdirSync(file, { mode: 0o700 });
      },
    ],
    ['the record is cut off', ({ directory }) => writeFileSync(fileOf(directory), '{"version":1')],
    ['the record is empty', ({ directory }) => writeFileSync(fileOf(directory), '')],
    [
      'the record has a key more',
      ({ directory }) => writeFileSync(fileOf(directory), JSON.stringify({ ...recordOf('/p'), x: 1 })),
    ],
    [
      'the record is a copy of another project’s',
      ({ directory }) => writeFileSync(fileOf(directory), JSON.stringify(recordOf('/q'))),
    ],
  ])('%s', async (_what, harm) => {
    const opened = await openedStore();
    harm(opened);
    expect(refusalOf(() => opened.store.read('/p'))).toEqual(refused);
  });

  liveTest(isRoot, 'it belongs to somebody else', async () => {
    const { store, state, directory } = await openedStore();
    for (const path of [fileOf(directory), directory, state]) {
      chownSync(path, 12_345, 12_345);
      expect(refusalOf(() => store.read('/p'))).toEqual(refused);
      chownSync(path, 0, 0);
    }
    expect(store.read('/p')).toEqual(recordOf('/p'));
  });

  test('it lies in the project: a repository must not bring its own record', async () => {
    const project = scratchDirectory();
    const state = join(project, '.state');
    await expect(openTrustStore(state).accept(recordOf(project), [])).rejects.toEqual(refused);
    const { directory } = await openedStore(project);
    rmSync(state, { recursive: true });
    renameSync(join(directory, '..'), state);
    expect(refusalOf(() => openTrustStore(state).read(project))).toEqual(refused);
  });

  test('kept content that was changed is not shown as what was accepted', async () => {
    const { store, directory } = await openedStore();
    const kept = readdirSync(directory).find((name) => name.endsWith('.content')) ?? '';
    const file = join(directory, kept, hashes['a'] ?? '');
    expect(readFileSync(file, 'utf8')).toBe('a');
    writeFileSync(file, 'x');
    expect(store.content('/p', hashes['a'] ?? '')).toBeUndefined();
  });
});

test('no two sets have one hash', () => {
  const sets: SetEntry[][] = [
    [],
    [entry('a', 'a')],
    [{ ...entry('a', 'a'), mode: 'x' }],
    [{ ...entry('a', 'a'), mode: 'l' }],
    [entry('a', 'b')],
    [entry('b', 'a')],
    [entry('a', 'a'), entry('b', 'b')],
    [entry('a', 'b'), entry('b', 'a')],
    [entry('a\n-', 'a')],
  ];
  expect(new Set(sets.map(setHash)).size).toBe(sets.length);
});
