import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { StatusChannel, type WallStatus } from '../../../src/sandbox/launch/status-channel.ts';

const said = '{ "child-pid": 4711, "cgroup-namespace": 4026532 }\n{ "unknown": 1 }\nnot json\n{ "exit-code": 137 }\n';

function read(chunks: readonly string[]): WallStatus {
  const channel = new StatusChannel();
  for (const chunk of chunks) channel.push(chunk);
  return channel.status;
}

test('lines are read wherever they are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(said.length)), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), said.length];
      expect(read(places.slice(1).map((end, index) => said.slice(places[index], end)))).toEqual({
        childPid: 4711,
        exitCode: 137,
      });
    }),
  );
});

test('nothing is known before a line is complete', () => {
  expect(read(['{ "exit-code": 0 }'])).toEqual({});
  expect(read(['{ "exit-code": 1', '3 }\n'])).toEqual({ exitCode: 13 });
});
