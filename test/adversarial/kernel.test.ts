import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';

import { bubblewrap, liveTest, linux } from '../support/capability.ts';
import { handler, probe, python, x64 } from '../support/probe.ts';
import { sandboxOfFile } from '../support/run-in-sandbox.ts';
import { scratchDirectory } from '../support/view.ts';
import { CALLS, EPERM_ARM64, EPERM_X64 } from '../sandbox/seccomp/expectations.ts';
import { int80Program } from '../sandbox/seccomp/under-filter.ts';

const run = sandboxOfFile();
const wall = [linux, bubblewrap];
const attack = [...wall, python];
const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
const calls = CALLS[arch];
const SIGSYS = { code: 159, signal: 'SIGSYS' };

describe('system calls', () => {
  liveTest(attack, 'every call of the list is refused, with arguments that the kernel would look at', async () => {
    const denied = [...(arch === 'x64' ? EPERM_X64 : EPERM_ARM64)];
    const answers = await probe(
      run,
      'syscalls.py',
      denied.map((number) => [number, 0, 0, 0, 0, 0]),
    );
    expect(answers).toEqual(denied.map(() => 1));
  });

  liveTest(
    [...attack, x64],
    'calls that need no capability are refused too: a kernel without the filter would carry them out',
    async () => {
      const GET_SESSION_KEYRING = [250, 0, -3, 1, 0, 0];
      const USER_NAMESPACE = [272, 0x10000000];
      const USERFAULTFD_USER_MODE = [323, 1];
      const TRACE_ME = [101, 0, 0, 0, 0];
      const READ_OWN_LDT = [154, 0, 0, 0];
      const KCMP_SELF = [312, 2, 2, 1, 0, 0];
      const answers = await probe(run, 'syscalls.py', [
        GET_SESSION_KEYRING,
        USER_NAMESPACE,
        USERFAULTFD_USER_MODE,
        TRACE_ME,
        READ_OWN_LDT,
        KCMP_SELF,
      ]);
      expect(answers).toEqual([1, 1, 1, 1, 1, 1]);
    },
  );

  liveTest(attack, 'new namespaces are refused to clone one by one, and clone3 does not exist', async () => {
    const flags = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
    const SIGCHLD = 17;
    const answers = await probe(run, 'syscalls.py', [
      ...flags.map((flag) => [calls.clone, flag | SIGCHLD, 0, 0, 0, 0]),
      ...flags.map((flag) => [calls.clone, 2 ** 40 + (flag | SIGCHLD), 0, 0, 0, 0]),
      [calls.clone3, 0, 0],
      [calls.clone3, '\u0000'.repeat(88), 88],
    ]);
    expect(answers).toEqual([...flags.map(() => 1), ...flags.map(() => 1), 38, 38]);
  });

  liveTest(attack, 'weaker protections of a process cannot be switched on', async () => {
    const READ_IMPLIES_EXEC = 0x400000;
    const ADDR_NO_RANDOMIZE = 0x40000;
    const answers = await probe(run, 'syscalls.py', [
      [calls.personality, READ_IMPLIES_EXEC],
      [calls.personality, ADDR_NO_RANDOMIZE],
      [calls.personality, 2 ** 32 + ADDR_NO_RANDOMIZE],
      [calls.personality, 0xffffffff],
    ]);
    expect(answers).toEqual([1, 1, 1, 0]);
  });

  liveTest([...wall, x64], 'int 0x80 ends the program', async () => {
    const path = join(scratchDirectory(), 'program');
    writeFileSync(path, int80Program(), { mode: 0o755 });
    const ran = await run([path], { program: { binds: [path] } });
    expect(ran).toMatchObject({ kind: 'ran', exit: SIGSYS });
  });

  liveTest([...attack, x64], 'an x32 call ends the program, be it only getpid', async () => {
    const script = handler('syscalls.py');
    const ran = await run([python.path, '-I', script, JSON.stringify([[0x40000000 + 39]])], {
      program: { binds: [script] },
    });
    expect(ran).toMatchObject({ kind: 'ran', exit: SIGSYS, out: '' });
  });

  liveTest(attack, 'machine code made at run time gets no further: the filter counts calls, not files', async () => {
    const answers = await probe(run, 'memory-program.py', null);
    // A program in memory runs, as anything in /tmp could; it is as bounded as the file it replaces.
    expect(answers).toEqual({ ran: 'NoNewPrivs:\t1 Seccomp:\t2' });
  });
});

describe('privileges', () => {
  liveTest(wall, 'no capability, no new privileges, one id that is nobody, whoever runs hookcell', async () => {
    const ran = await run(
      'grep -E "^(Uid|Gid|Cap|NoNewPrivs|Seccomp:)" /proc/self/status; cat /proc/self/uid_map /proc/self/gid_map; id -u',
    );
    const none = '0000000000000000';
    const ids = '65534\t65534\t65534\t65534';
    // bubblewrap of an ordinary user nests two user namespaces, and the inner one sees the outer one's root.
    const normal = ran.out
      .replace(/ +/g, ' ')
      .replace(/^ /gm, '')
      .replace(/^65534 (\d+) 1$/gm, (line, id) =>
        ['0', `${process.getuid?.()}`].includes(id) ? 'mapped alone' : line,
      );
    expect(normal).toBe(
      `Uid:\t${ids}\nGid:\t${ids}\nCapInh:\t${none}\nCapPrm:\t${none}\nCapEff:\t${none}\nCapBnd:\t${none}\nCapAmb:\t${none}\n` +
        `NoNewPrivs:\t1\nSeccomp:\t2\nmapped alone\nmapped alone\n65534\n`,
    );
  });

  liveTest(wall, 'set-uid programs give nothing', async () => {
    const ran = await run(
      `for program in $(find /usr/bin /usr/sbin /usr/lib -xdev -perm -4000 2>/dev/null) /usr/bin/su; do echo "$program"; done | sort -u > /tmp/list
       echo "$(wc -l < /tmp/list)"
       su -c id 2>/dev/null; mount -t tmpfs x /mnt 2>/dev/null && echo MOUNTED; umount /usr 2>/dev/null && echo UNMOUNTED
       cp /bin/cat /tmp/own; chmod 4755 /tmp/own; /tmp/own /proc/self/status | grep -E '^(Uid|CapEff)'`,
    );
    const [count = '0', ...rest] = ran.out.trim().split('\n');
    expect(Number(count)).toBeGreaterThan(0);
    expect(rest).toEqual(['Uid:\t65534\t65534\t65534\t65534', 'CapEff:\t0000000000000000']);
  });

  liveTest(attack, 'limits cannot be raised again', async () => {
    expect(await probe(run, 'raise-limits.py')).toEqual({ raised: [] });
  });
});

describe('other processes', () => {
  liveTest(attack, 'the memory of the first process can not be written', async () => {
    expect(await probe(run, 'memory-of-others.py')).toEqual({
      'write /proc/1/mem': 30,
      'write /proc/1/task/1/mem': 30,
      'write own': 30,
    });
  });

  liveTest(wall, 'no process of the machine is seen, and no other invocation', async () => {
    const other = run('sleep 3 & echo started; wait', { limits: { timeoutMs: 10_000 } });
    const ran = await run('cd /proc; for p in [0-9]*; do tr "\\0" " " < $p/cmdline | cut -c1-400; echo; done');
    const shown = ran.out.split('\n').filter((line) => line !== '');
    expect(ran.out).not.toContain('sleep 3');
    expect(shown.length).toBeLessThan(8);
    expect((await other).out).toBe('started\n');
    expect(readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length).toBeGreaterThan(8);
  });
});

describe('the kernel’s own files', () => {
  liveTest(wall, 'neither /sys nor a cgroup nor a trigger is there or can be written', async () => {
    const ran = await run(
      `ls -d /sys /sys/fs/cgroup /sys/kernel 2>/dev/null
       for file in /proc/sysrq-trigger /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sys/vm/drop_caches /proc/sys/net/ipv4/ip_forward \
         /proc/sys/user/max_user_namespaces /proc/pressure/memory /proc/irq/default_smp_affinity /proc/mtrr /proc/self/oom_score_adj /proc/self/uid_map \
         /proc/self/setgroups /proc/self/attr/current /proc/self/loginuid /proc/self/coredump_filter /proc/acpi/wakeup /proc/scsi/scsi; do
         (echo 1 > $file) 2>/dev/null && echo "WROTE $file"
       done
       for file in /proc/kcore /proc/kmsg /dev/mem /dev/kmsg /dev/kvm /dev/fuse /dev/vda /dev/sda /dev/console /dev/tty0; do
         [ "$(head -c 1 $file 2>/dev/null | wc -c)" = 0 ] || echo "READ $file"
       done
       grep -v '^0000000000000000 ' /proc/kallsyms | head -1; echo end`,
    );
    expect(ran.out).toBe('end\n');
  });

  liveTest(
    wall,
    'entries of /proc that the machine shares keep their modes: the owner is root, also inside',
    async () => {
      const ran = await run(
        'for file in /proc/version /proc/meminfo /proc/sys/kernel/hostname; do chmod 0444 $file 2>/dev/null && echo "CHMOD $file"; done; echo end',
      );
      expect(ran.out).toBe('end\n');
    },
  );

  liveTest(wall, 'devices of the machine keep their modes and times: their owner is root, also inside', async () => {
    const ran = await run(
      'for file in null zero full random urandom tty; do chmod 0666 /dev/$file 2>/dev/null && echo "CHMOD $file"; touch -d 2001-01-01 /dev/$file 2>/dev/null && echo "TOUCH $file"; done; echo end',
    );
    expect(ran.out).toBe('end\n');
  });

  liveTest(wall, 'no device can be made', async () => {
    const ran = await run(
      'mknod /tmp/sda b 8 0 2>/dev/null && echo MADE; mknod /tmp/mem c 1 1 2>/dev/null && echo MADE; mkfifo /tmp/pipe && echo pipe',
    );
    expect(ran.out).toBe('pipe\n');
  });

  liveTest(wall, 'no core is written', async () => {
    const ran = await run(
      'ulimit -c; ulimit -c unlimited 2>/dev/null && echo RAISED; cd /tmp; sh -c "kill -SEGV \\$\\$"; ls /tmp',
    );
    expect(ran.out).toBe('0\n');
  });
});
