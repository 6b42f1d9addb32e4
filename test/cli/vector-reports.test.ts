import { spawnSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { githubAnnotations } from '../../src/cli/vectors/github.ts';
import { junitReport } from '../../src/cli/vectors/junit.ts';
import { peopleReport } from '../../src/cli/vectors/people.ts';
import type { VectorResult } from '../../src/testing/index.ts';
import { liveTest, program } from '../support/capability.ts';

const hostile = '</failure>]]>&<!--\u0000\u0008\u001b[2J"\'\r\n::error::x\ud800\ufffe%0A,:\u202e\u0085';

function failed(text: string): VectorResult {
  return {
    file: `dir/${text}.vector.json`,
    description: text,
    status: 'failed',
    differences: [{ what: 'reason', expected: text, actual: text, lines: [text] }],
    findings: [{ code: 'x', message: text, file: text }],
    durationMs: 1234,
    line: 7,
  };
}

const passed: VectorResult = { ...failed('fine'), status: 'passed', differences: [], findings: [] };

/** Parses with a strict parser and prints what it found. */
const parse = `
import json, sys, xml.etree.ElementTree as tree
root = tree.fromstring(sys.stdin.buffer.read())
cases = list(root.iter("testcase"))
print(json.dumps({"root": root.attrib, "tags": [[c.tag for c in case] for case in cases], "names": [case.get("name") for case in cases]}))
`;

function parsed(xml: string): { root: object; tags: string[][]; names: string[] } {
  const result = spawnSync('python3', ['-c', parse], { input: xml, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(result.stderr);
  const document: { root: object; tags: string[][]; names: string[] } = JSON.parse(result.stdout);
  return document;
}

describe('JUnit', () => {
  liveTest(program('python3'), 'is well-formed with hostile text, and the text comes back', () => {
    const { root, tags, names } = parsed(
      junitReport([passed, failed(hostile), { ...failed('bad'), status: 'invalid' }]),
    );
    expect(root).toEqual({ name: 'hookcell', tests: '3', failures: '1', errors: '1', time: '3.702' });
    expect(tags.flat().toSorted()).toEqual(['error', 'failure']);
    expect(names.join('')).toContain(`</failure>]]>&<!--\\u0000\\u0008\\u001b[2J"'\r\n::error::x\\ud800\\ufffe%0A,:`);
  });

  test('holds no character that XML forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(junitReport([failed(text)])).not.toMatch(
          /[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u,
        );
      }),
    );
  });
});

describe('GitHub', () => {
  test('one line for each vector that did not pass, with its place', () => {
    const text = githubAnnotations([passed, failed('a'), { ...passed, status: 'updated' }]);
    expect(text).toBe('::error file=dir/a.vector.json,line=7,title=a::a: a%0Areason: expected a, got a%0A  a');
  });

  test('no text makes a second command or another property', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('', hostile), (text, more) => {
        const command = githubAnnotations([failed(text + more)]);
        expect(command).not.toMatch(/[\r\n]/u);
        const match = /^::error file=[^:,]*,line=7,title=[^:,]*::/u.exec(command);
        expect(match).not.toBeNull();
      }),
    );
    expect(githubAnnotations([failed('50%,a:b')])).toContain('title=50%25%2Ca%3Ab::');
  });
});

test('for people: nothing that a terminal would obey, names on one line, no colours in a pipe', () => {
  const io = { env: {}, stdout: new PassThrough(), stderr: new PassThrough() };
  const [title, ...lines] = peopleReport([{ ...failed(hostile), findings: [], differences: [] }], io).split('\n');
  expect(lines).toEqual([]);
  expect(title).toMatch(/^✗ dir\//u);
  expect(title).not.toMatch(/[\0-\u001f\u007f-\u009f\u202e]/u);
});
