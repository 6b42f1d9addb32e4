#!/usr/bin/env node
// Denies a write to a file that one of the globs in the arguments names. The last glob that matches decides; a leading
// "!" makes an exception. `*` and `?` stay within a name, `**` is any number of directories, `{a,b}` is one of them.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const { hook, context } = JSON.parse(readFileSync(0, 'utf8'));
// Names are compared without case: on some disks `.ENV` is `.env`.
const rules = process.argv.slice(2).map((glob) => {
  const allows = glob.startsWith('!');
  return { glob, allows, matches: globMatcher(glob.slice(allows ? 1 : 0).toLowerCase()) };
});
console.log(JSON.stringify({ decision: decide(hook.data) }));

function decide({ input }) {
  const paths = [...pathsIn({ input })];
  if (paths.length === 0) return { action: 'deny', reason: 'the call names no path that this check knows' };
  for (const given of paths) {
    const file = inProject(given);
    const rule = rules.findLast(({ matches }) => matches(file.toLowerCase()));
    if (rule?.allows === false) return { action: 'deny', reason: `${given} is protected by "${rule.glob}"` };
  }
  return { action: 'allow' };
}

/** Every path of the input: well-known keys, at any depth, and the headers of a patch. */
function* pathsIn(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'string') yield* pathsIn(item);
    else if (/^(.*_)?(path|file|filename|filepath|target|destination|source|from|to)$/i.test(key)) yield item;
    else if (/^(patch|diff|input)$/i.test(key)) {
      const headers =
        /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:---|\+\+\+) (?:[ab]\/)?|rename (?:from|to) )(.+?)\s*$/gm;
      for (const [, file] of item.matchAll(headers)) if (file !== '/dev/null') yield file;
    }
  }
}

/** Relative to the project, as far as the text alone tells. */
function inProject(given) {
  const file = path.posix.normalize(given.replaceAll('\\', '/'));
  return path.posix.isAbsolute(file) ? path.posix.relative(context.project ?? process.cwd(), file) : file;
}

function globMatcher(glob) {
  const alternatives = braces(glob).map((one) => one.split('/'));
  return (file) => alternatives.some((parts) => matchParts(parts, file.split('/')));
}

/** Part by part; a second `**` takes over from the first, so the work is at most glob times file. */
function matchParts(glob, file) {
  let [g, f, star, retry] = [0, 0, -1, 0];
  while (f < file.length) {
    if (glob[g] === '**') [star, retry, g] = [g, f, g + 1];
    else if (g < glob.length && matchName(glob[g], file[f])) [g, f] = [g + 1, f + 1];
    else if (star !== -1) [g, f, retry] = [star + 1, retry + 1, retry + 1];
    else return false;
  }
  return glob.slice(g).every((part) => part === '**');
}

function matchName(glob, name) {
  let [g, n, star, retry] = [0, 0, -1, 0];
  while (n < name.length) {
    if (glob[g] === '*') [star, retry, g] = [g, n, g + 1];
    else if (glob[g] === '?' || (g < glob.length && glob[g] === name[n])) [g, n] = [g + 1, n + 1];
    else if (star !== -1) [g, n, retry] = [star + 1, retry + 1, retry + 1];
    else return false;
  }
  return /^\**$/.test(glob.slice(g));
}

function braces(glob) {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/.exec(glob);
  if (match === null) return [glob];
  return match[2].split(',').flatMap((choice) => braces(`${match[1]}${choice}${match[3]}`));
}
