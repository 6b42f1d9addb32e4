import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText } from '../../../src/protocol/index.ts';
import { credentials, pemKey } from './planted-secrets.ts';

const entries = Object.entries(credentials);

describe('credential shapes', () => {
  it.each(entries)('%s is replaced, alone and inside text', (_name, { secret, text = secret }) => {
    for (const around of [
      text,
      `before ${text} after`,
      `"${text}"`,
      `x=${text};`,
      `[${text},${text}]`,
      `ü日${text}\n`,
    ]) {
      const redacted = redactText(around);
      expect(redacted).not.toContain(secret);
      expect(redacted).toContain('[REDACTED:');
    }
  });

  it('leaves what is around', () => {
    const { secret } = credentials.github;
    expect(redactText(`curl -H "x: ${secret}" http://h/ && rm -rf /`)).toBe(
      'curl -H "x: [REDACTED:github-token]" http://h/ && rm -rf /',
    );
    expect(redactText('git clone https://user:hunter2@example.com/x.git')).toBe(
      'git clone https://user:[REDACTED:url-password]@example.com/x.git',
    );
    expect(redactText('redis://:p@ss:word@host:1/0')).toBe('redis://:[REDACTED:url-password]@host:1/0');
    expect(redactText(pemKey)).toBe(
      '-----BEGIN RSA PRIVATE KEY-----\n[REDACTED:private-key]\n-----END RSA PRIVATE KEY-----\n',
    );
    expect(redactText(JSON.stringify({ key: pemKey }))).toContain(
      String.raw`KEY-----\n[REDACTED:private-key]\n-----END`,
    );
  });

  it.each([
    'https://example.com:8080/a@b?x=1',
    'see http://localhost:3000/@scope/pkg',
    'git@github.com:a/b.git',
    'user:pass',

    'sk-loading-spinner-large-animated',
    'task-3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'npm_config_registry',
    'Basic authentication',

    'half_eyJ.b.c',
    'AKIA',
    'ghp_short',
    'eyJ0.eyJ1',
    'v1.2.3',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'the password=… field',
    'a;b=c',
    'Bearer of bad news and a long explanation',
    'ssh://git@github.com/a/b.git',
    'https://first.last2@example.com/x',
    'https://my-company-devops-2024@dev.example.com/x',
    'https://3f2504e0-4f89-11d3-9a0c-0305e82c3301@example.com',
    'Authorization: Basic authentication is needed',
    'authorization: this.config.header2',
    'authorization: buildAuthorizationHeader(request)',
    'Authorization: Bearer $TOKEN',
    'session_id=0123456789abcdef0123',
    'Proxy-Authorization: a header',
    'authorization=a /opt/tools/evil2-binary',
    'authorization=0123456789abcdef0123',
    'authorization: cat /etc/passwd2-backup',
    'bearer /opt/tools/evil2-binary-xyz',
    'bearer ~/tools/evil2-binary-xyz',
    'bearer ../tools/evil2-binary-xyz',
  ])('%s is no credential', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe('named secret values', () => {
  it('are replaced exactly, as JSON text and in a URL, whatever they hold', () => {
    const value = 'p a"s\n&w$(x)';
    for (const written of [value, JSON.stringify(value), encodeURIComponent(value)]) {
      const redacted = redactText(`a ${written} b`, [value]);
      expect(redacted).toMatch(/^a "?\[REDACTED:secret-value\]"? b$/);
    }
  });

  it('of under four characters count only as the whole text', () => {
    expect(redactText('abc', ['abc', ''])).toBe('[REDACTED:secret-value]');
    expect(redactText('abcd', ['abc', ''])).toBe('abcd');
  });

  it('take the longest of overlapping ones', () => {
    expect(redactText('x-secret-longer-y', ['secret', 'secret-longer', 'longer-y'])).toBe('x-[REDACTED:secret-value]');
  });
});

describe('shell text stays visible', () => {
  it.each([
    'http://u:$(rm -rf /)@host',
    'http://u:a;rm -rf /@host',
    '-----BEGIN PRIVATE KEY-----\nrm -rf /\n-----END PRIVATE KEY-----',
    `-----BEGIN PRIVATE KEY-----\n${'QUJDRAabc123'.repeat(6)}\nrm -rf /\n-----END PRIVATE KEY-----`,
    '-----BEGIN PRIVATE KEY-----\n/bin/sh -c "rm -rf /"',
    'ghp_$(rm -rf /)aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'Bearer abc$(rm -rf /)0123456789abcdef',
    'Bearer \t rm -rf /',
    'Authorization: Token $(rm -rf /)0123456789abcdef',
    'Authorization: rm -rf /',
    'https://rm -rf /0123456789abcdef0123@host',
    'JSESSIONID=x;rm -rf /',
    '?password=x;rm -rf /',
  ])('in %j', (text) => {
    expect(redactText(text)).toContain('rm -rf /');
  });

  it('beside any secret', () => {
    const shell = fc.constantFrom(
      'rm -rf /',
      'curl http://x | sh',
      '$(reboot)',
      '`id`',
      'cat a > b',
      '> /etc/passwd',
      '& shutdown',
    );
    const glue = fc.constantFrom(' ', '\n', ';', '&&', '"', "'", '|', '(', '\t', '>', '$', '`');
    const planted = fc.constantFrom(...entries.map(([, { secret, text = secret }]) => ({ secret, text })));
    fc.assert(
      fc.property(shell, glue, planted, glue, shell, (first, left, { secret, text }, right, last) => {
        const redacted = redactText(first + left + text + right + last);
        expect(redacted.startsWith(first + left)).toBe(true);
        expect(redacted.endsWith(right + last)).toBe(true);
        expect(redacted).not.toContain(secret);
      }),
      { numRuns: 1_000 },
    );
  });
});

// Long enough that anything quadratic takes hours, not the seconds of this test.
const hostile = (piece: string) => piece.repeat(Math.ceil(2_000_000 / piece.length));

it('is linear on hostile text', () => {
  const pieces = [
    'eyJ',
    '.eyJ',
    'eyJaaaaaaaa.',
    'sk-',
    '-sk-',
    '://',
    '://a:',
    '://a:b',
    ':@',
    'ghp_',
    'SG.',
    'SG.aaaaaaaaaaaaaaaa.',
    'Bearer ',
    'Bearer aaaaaaaaaaaaaaaaaaaa ',

    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n',
    '-----BEGIN ',
    'A ',
    '?password=',
    ';api_key=',
    'hooks.slack.com/services/',
    '1//0',
    'AKIA',
    'xox',
    'gl',
    '\\n',
    '\n',
    'Proc-Type: a\n',
    'QUJD1234',
    'QUJD1234QUJD1234QUJD1234QUJD1234\n',
  ];
  for (const piece of pieces) {
    for (const text of [
      hostile(piece),
      `-----BEGIN PRIVATE KEY-----${hostile(piece)}`,
      `https://a:${hostile(piece)}`,
    ]) {
      expect(redactText(text).length).toBeGreaterThan(0);
    }
  }
}, 120_000);

describe('never overflows the stack of the engine on 8 MB', () => {
  const heads = [
    'ghp_',
    'github_pat_',
    'AKIA',
    'sk-',
    'sk-ant-',
    'xapp-',
    'GOCSPX-',
    '1//0',
    'whsec_',
    'SG.',
    'SG.aaaaaaaaaaaaaaaa.',
    'glpat-',
    'hvs.',
    'dckr_pat_',
    'dop_v1_',
    'eyJhbGciOi.eyJ',
    '.eyJ',
    'Bearer ',
    'Authorization: Token ',
    'Authorization: ',
    'Basic ',
    '?password=',
    ';AccountKey=',
    'JSESSIONID=',
    'https://',
    'https://u:',
    '-----BEGIN PRIVATE KEY-----',
    `-----BEGIN PRIVATE KEY-----\n${'Qk3'.repeat(20)}\n`,
    '-----BEGIN ',
  ];

  it.each(heads)(
    'that begin with %j',
    (head) => {
      for (const piece of ['A1', '=', '\n']) {
        const text = head + piece.repeat(Math.ceil(8_000_000 / piece.length));
        expect(redactText(text).length).toBeGreaterThan(0);
      }
    },
    120_000,
  );

  it('and hides a secret longer than any known one to its end', () => {
    for (const head of ['AKIA', 'ghp_', 'sk-1', 'Bearer a1', 'eyJhbGciOi.eyJ', 'hvs.', '?password=']) {
      expect(redactText(`${head}${'A1'.repeat(4_000_000)} z`)).toMatch(/^.{0,12}\[REDACTED:[a-z-]+\] z$/);
    }
  }, 120_000);

  it('and takes more secrets than a call takes arguments', () => {
    const { secret } = credentials['jwt'] ?? { secret: '' };
    expect(redactText(`${secret} `.repeat(70_000)).replaceAll('[REDACTED:jwt] ', '')).toBe('');
    const url = 'http://u:pw@h ';
    expect(redactText(url.repeat(300_000))).toBe('http://u:[REDACTED:url-password]@h '.repeat(300_000));
  }, 120_000);
});
