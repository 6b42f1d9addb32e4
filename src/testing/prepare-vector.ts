import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ExecutorOptions } from '../executor/index.ts';
import type { EventDefinition, Finding, Remark, Vector } from '../protocol/index.ts';
import { HookcellError, profileDefaults, readVector } from '../protocol/index.ts';
import type { VectorRunOptions } from './options.ts';
import { Places } from './places.ts';
import { readVectorFile } from './vector-file.ts';

/** A vector that can be run. */
export interface PreparedVector {
  /** Absolute. */
  readonly path: string;
  readonly file: string;
  readonly text: string;
  readonly vector: Omit<Vector, 'expect'> & { readonly expect?: Vector['expect'] };
  readonly findingsOf: (remarks: readonly Remark[]) => Finding[];
  /** What the executor of this vector needs; equal ones can share it. */
  readonly executor: ExecutorOptions;
}

export type PrepareResult =
  | { readonly ok: true; readonly prepared: PreparedVector }
  | { readonly ok: false; readonly findings: readonly Finding[] };

const MiB = 1024 * 1024;

/** Reads a vector and resolves what it names. Never rejects for what a file holds. */
export async function prepareVector(file: string, options: VectorRunOptions): Promise<PrepareResult> {
  const cwd = options.cwd ?? process.cwd();
  const path = resolve(cwd, file);
  const knownEvents = new Map((options.events ?? []).map((event): [string, EventDefinition] => [event.name, event]));
  try {
    const text = await readVectorFile(path, file);
    const expectation = options.update === true ? 'replace' : 'require';
    const read = readVector(text, file, { knownEvents, expectation });
    if (!read.ok) return read;
    const places = new Places(await realpath(dirname(path)), await realpath(cwd), options);
    const executor = await executorOptions(read.vector, places, options);
    const findings = read.findingsOf(places.remarks);
    if (findings.length > 0) return { ok: false, findings };
    return { ok: true, prepared: { path, file, text, vector: read.vector, findingsOf: read.findingsOf, executor } };
  } catch (error) {
    if (error instanceof HookcellError) return { ok: false, findings: error.findings };
    throw error;
  }
}

async function executorOptions(
  { packs, project, options = {} }: PreparedVector['vector'],
  places: Places,
  { grant = {}, hostPath, events, concurrency }: VectorRunOptions,
): Promise<ExecutorOptions> {
  const { agent, profile, timeoutMs, memoryMb, maxProcesses, maxOutputBytes } = options;
  const projectRoot = project === undefined ? places.project : await places.inside(project, ['project']);
  const agentFile = agent === undefined ? undefined : await places.inside(agent, ['options', 'agent']);
  if (options.network === 'host' && grant.network !== 'host') {
    places.beyond('network access', '--network host', 'network', ['options', 'network']);
  }
  return {
    packs: await places.packs(packs),
    origin: 'vector',
    projectRoot,
    ...(agentFile === undefined ? {} : { agent: agentFile }),
    ...(profile === undefined ? {} : { profile }),
    sandbox: {
      backend: grant.backend ?? 'auto',
      project: options.project ?? 'read',
      network: options.network ?? 'none',
      env: options.env ?? {},
      read: await places.granted('read', options.read, [projectRoot, ...(grant.read ?? [])]),
      write: await places.granted('write', options.write, grant.write ?? []),
      limits: {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(memoryMb === undefined ? {} : { memoryBytes: memoryMb * MiB }),
        ...(maxProcesses === undefined ? {} : { maxProcesses }),
        ...(maxOutputBytes === undefined ? {} : { maxOutputBytes }),
      },
    },
    limits: {
      // Many vectors of one event are no loop.
      maxPerMinute: 1_000_000,
      // A longer limit of one hook is meant, so the event's own must not cut it.
      totalTimeMs: Math.max(profileDefaults[profile ?? 'oss'].totalTimeMs, timeoutMs ?? 0),
    },
    grants: { reveal: [...(options.reveal ?? [])], modifyWithSecrets: [...(options.modifyWithSecrets ?? [])] },
    ...(hostPath === undefined ? {} : { hostPath }),
    ...(events === undefined ? {} : { events: [...events] }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}
