import { styleText } from 'node:util';
import type { Io } from './io.ts';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';
export type Paint = (style: Style, text: string) => string;

/** Colours on a terminal only; `NO_COLOR` turns them off, `FORCE_COLOR` on (`FORCE_COLOR=0` off). */
export function paintFor(stream: 'stdout' | 'stderr', io: Pick<Io, 'env' | 'stdout' | 'stderr'>): Paint {
  return wantsColour(io.env, io[stream].isTTY === true) ? (style, text) => styleText(style, text) : (_, text) => text;
}

function wantsColour(env: Io['env'], isTerminal: boolean): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  return isTerminal && env['TERM'] !== 'dumb';
}
