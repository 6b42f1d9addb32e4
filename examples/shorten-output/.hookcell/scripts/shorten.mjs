#!/usr/bin/env node
// Shortens every text of a tool's result. Arguments: the most characters of one text, and a note to put before each.
import { readFileSync } from 'node:fs';

const most = Number(process.argv[2]);
const note = process.argv[3];
const { hook, redacted } = JSON.parse(readFileSync(0, 'utf8'));
const { result } = hook.data;
// A change beside a credential needs a person, and after the fact hookcell makes that a deny. That is too much for a text
// that is only long; but a page must not get rid of its note by holding something that looks like a credential.
const holdsSecret = redacted.some(({ pointer }) => pointer.startsWith('/hook/data/result'));
const shorter = holdsSecret && note === undefined ? result : shorten(result);
const changed = JSON.stringify(shorter) !== JSON.stringify(result);
console.log(
  JSON.stringify({ decision: changed ? { action: 'modify', data: { result: shorter } } : { action: 'allow' } }),
);

function shorten(value) {
  if (typeof value === 'string')
    return withNote(value.includes('[REDACTED:') ? '[left out: it holds a credential]' : cut(plain(value)));
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item)]));
}

/** Without colours, titles and cursor movements, and what a progress bar wrote over itself. */
function plain(text) {
  return text
    .replaceAll(/\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|\u001B./g, '')
    .replaceAll(/[^\n\r]*\r(?!\n)/g, '')
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g, '');
}

/** The beginning and the end; errors stand at the end more often than in the middle. */
function cut(text) {
  const characters = [...text];
  if (characters.length <= most) return text;
  const [head, tail] = [Math.ceil(most / 3), most - Math.ceil(most / 3)];
  const left = characters.length - most;
  return `${characters.slice(0, head).join('')}\n[… ${left} characters left out …]\n${characters.slice(-tail).join('')}`;
}

function withNote(text) {
  return note === undefined || text.trim() === '' || text.startsWith(note) ? text : `${note}\n\n${text}`;
}
