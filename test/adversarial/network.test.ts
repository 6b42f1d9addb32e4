import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';

import { bubblewrap, liveTest, linux } from '../support/capability.ts';
import { handler, probe, python } from '../support/probe.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';
import { plant, scratchDirectory } from '../support/view.ts';

const run = sandboxOfFile();
const wall = [linux, bubblewrap];
const attack = [...wall, python];
const EPERM = 1;
const host = { policy: { network: 'host' } } as const;

/** A listener of the host that says `reached`, at a port of loopback, a path or an abstract name. */
async function listen(where: number | string): Promise<Server> {
  const server = createServer((socket) => socket.end('reached'));
  if (typeof where === 'number') server.listen(where, '127.0.0.1');
  else server.listen(where);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen at a port');
  return address.port;
}

/** What the same attack gives outside: an attack that fails there as well proves nothing. */
function outside(fixture: string, argument: unknown): unknown {
  const ran = spawnSync(python.path, ['-I', handler(fixture), JSON.stringify(argument)], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return JSON.parse(ran.stdout);
}

const families = {
  AF_UNIX: [1, 1, 0],
  AF_UNIX_datagram: [1, 2, 0],
  AF_INET: [2, 1, 0],
  AF_INET_udp: [2, 2, 0],
  AF_INET_ping: [2, 2, 1],
  AF_INET_raw: [2, 3, 1],
  AF_INET6: [10, 1, 0],
  AF_NETLINK_route: [16, 3, 0],
  AF_NETLINK_audit: [16, 3, 9],
  AF_PACKET: [17, 3, 0],
  AF_KEY: [15, 3, 2],
  AF_BLUETOOTH: [31, 3, 1],
  AF_CAN: [29, 3, 1],
  AF_ALG: [38, 5, 0],
  AF_VSOCK: [40, 1, 0],
  AF_XDP: [44, 3, 0],
  AF_TIPC: [30, 5, 0],
  AF_QIPCRTR: [42, 2, 0],
  AF_SMC: [43, 1, 0],
} as const;

describe('without network', () => {
  liveTest(attack, 'no socket of any family can be made', async () => {
    const answers = await probe(run, 'sockets.py', Object.values(families));
    expect(answers).toEqual(Object.values(families).map(() => EPERM));
    expect(outside('sockets.py', [families.AF_UNIX, families.AF_INET, families.AF_NETLINK_route])).toEqual([0, 0, 0]);
  });

  liveTest(
    attack,
    'a listener of the host is reached by no way: TCP, UDP, path, abstract name, nor a name looked up',
    async () => {
      const path = join(scratchDirectory(), 'host.socket');
      const abstract = `hookcell-test-${process.pid}`;
      const port = portOf(await listen(0));
      await listen(path);
      const udp = createSocket('udp4');
      udp.bind(0, '127.0.0.1');
      await once(udp, 'listening');
      onTestFinished(() => void udp.close());
      let received = 0;
      udp.on('message', () => (received += 1));
      const ways = [
        ['tcp', port],
        ['udp', udp.address().port],
        ['unix', path],
        ['unix', `@${abstract}`],
        ['pair', `@${abstract}`],
        ['pair', '/run/systemd/journal/dev-log'],
      ];
      expect(await probe(run, 'reach-network.py', ways)).toEqual(ways.map(() => `error ${EPERM}`));
      expect(received).toBe(0);
      expect(outside('reach-network.py', [['udp', udp.address().port]])).toEqual(['sent 4']);
      const names = await probe(run, 'reach-network.py', [['lookup', 'example.com']]);
      expect(names).toEqual([expect.stringMatching(/^no name /)]);
    },
  );

  liveTest(attack, 'a granted directory does not lend its socket', async () => {
    const root = plant(scratchDirectory(), { 'out/': '', 'in/': '' });
    const paths = [join(root, 'out/a.socket'), join(root, 'in/b.socket')];
    for (const path of paths) await listen(path);
    const policy = { readPaths: [join(root, 'in')], writePaths: [join(root, 'out')] };
    const ways = paths.map((path) => ['unix', path]);
    expect(await probe(run, 'reach-network.py', ways, { policy })).toEqual(ways.map(() => `error ${EPERM}`));
  });

  liveTest(wall, 'the network namespace is empty', async () => {
    const ran = await run(
      'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "; tail -n +2 /proc/net/route; tail -n +2 /proc/net/tcp; tail -n +2 /proc/net/unix',
    );
    expect(ran.out).toBe('lo\n');
  });
});

describe('with the host’s network', () => {
  liveTest(attack, 'loopback is reached, other families are refused, names are looked up', async () => {
    const port = portOf(await listen(0));
    const ways = [
      ['tcp', port],
      ['unix', '/run/dbus/system_bus_socket'],
      ['unix', '@anything'],
      ['lookup', 'localhost'],
    ];
    expect(await probe(run, 'reach-network.py', ways, host)).toEqual(['reached', 'error 1', 'error 1', ['127.0.0.1']]);
    const { AF_INET, AF_INET_udp, AF_INET6: _, ...others } = families;
    const answers = await probe(run, 'sockets.py', [AF_INET, AF_INET_udp, ...Object.values(others)], host);
    const { AF_INET_ping: ping, ...refused } = others;
    expect(ping).toBeDefined();
    expect(answers).toEqual([
      0,
      0,
      ...Object.keys(others).map((name) => (name === 'AF_INET_ping' ? expect.any(Number) : EPERM)),
    ]);
    expect(Object.keys(refused)).toContain('AF_UNIX');
  });

  liveTest(attack, 'a name that does not exist fails cleanly', async () => {
    const answers = await probe(run, 'reach-network.py', [['lookup', 'no-such-name.invalid']], host);
    expect(answers).toEqual([expect.stringMatching(/^no name /)]);
  });

  liveTest(attack, 'a UNIX listener of the host stays out of reach', async () => {
    const path = join(scratchDirectory(), 'host.socket');
    await listen(path);
    const policy = { network: 'host', readPaths: [join(path, '..')] } as const;
    expect(await probe(run, 'reach-network.py', [['unix', path]], { policy })).toEqual([`error ${EPERM}`]);
  });
});

describe('well-known sockets', () => {
  const sockets = [
    '/run/docker.sock',
    '/var/run/docker.sock',
    '/run/dbus/system_bus_socket',
    '/run/containerd/containerd.sock',
    '/run/user',
  ];

  liveTest(wall, 'are absent, and so are their names in the environment', async () => {
    const ran = await run(
      `ls -d ${sockets.join(' ')} /run /var 2>/dev/null; env | grep -E 'SSH_AUTH_SOCK|DBUS|DOCKER|XDG|DISPLAY|WAYLAND'; echo end`,
      host,
    );
    expect(ran.out).toBe('end\n');
  });

  liveTest(wall, 'cannot be granted, neither themselves nor with the whole root', async () => {
    const path = join(scratchDirectory(), 'agent.socket');
    await listen(path);
    for (const policy of [
      { readPaths: ['/'] },
      { readPaths: [path] },
      { writePaths: [path] },
      { writePaths: ['/'] },
      { writePaths: ['/run'] },
    ]) {
      if (policy.writePaths?.[0] === '/run' && !existsSync('/run')) continue;
      const ran = await run('echo ran', { policy });
      expect({ kind: ran.kind, out: ran.out, hasRemedy: (ran.remedy ?? '') !== '' }).toEqual({
        kind: 'not-built',
        out: '',
        hasRemedy: true,
      });
    }
  });
});
