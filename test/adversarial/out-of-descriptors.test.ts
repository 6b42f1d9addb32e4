import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { bubblewrap, liveTest } from '../support/capability.ts';

const host = fileURLToPath(new URL('../fixtures/hosts/out-of-descriptors.mjs', import.meta.url));

liveTest(
  bubblewrap,
  'a host without free descriptors fails its launches, leaks none, and works again with some',
  () => {
    const { stdout, stderr } = spawnSync(
      '/bin/sh',
      ['-c', 'ulimit -n 300 && exec "$@"', 'sh', process.execPath, host],
      {
        encoding: 'utf8',
        timeout: 50_000,
      },
    );
    expect(stderr).toBe('');
    const { starved, fed, leaked } = JSON.parse(stdout);
    expect({ starved, fed }).toEqual({ starved: ['unavailable'], fed: 'ran' });
    // Twenty launches failed. Node itself loses a few sockets when its own spawn meets the limit.
    expect(leaked).toBeLessThan(10);
  },
);
