import type { JsonValue } from '../json-value.ts';

const plainAscii = /^[ -~]*$/;

/** Words from text; plain lists would fill this file. */
function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/**
 * Which object keys say that their value is a secret. Keys are compared without case and separators, from the end:
 * `x-api-key`, `API_KEY` and `stripeApiKey` all end in `apikey`.
 */
const endings: readonly (readonly [ending: string, kind: string])[] = [
  ['authorization', 'authorization'],
  ['setcookie', 'cookie'],
  ['cookie', 'cookie'],
  ['password', 'password'],
  ['passwd', 'password'],
  ['passphrase', 'passphrase'],
  ['clientsecret', 'client-secret'],
  ['secret', 'secret'],
  ['apikey', 'api-key'],
  ['secretkey', 'secret'],
  ['accesskey', 'access-key'],
  ['accountkey', 'access-key'],
  ['sharedkey', 'access-key'],
  ['privatekey', 'private-key'],
  ['signingkey', 'private-key'],
  ['encryptionkey', 'private-key'],
  ['masterkey', 'private-key'],
  ['credential', 'credential'],
  ['token', 'token'],
  ['sessid', 'session-id'],
  ['jsessionid', 'session-id'],
  ['aspnetsessionid', 'session-id'],
  ['connectsid', 'session-id'],
  ['connectionstring', 'connection-string'],
  ['connstring', 'connection-string'],
  ['connstr', 'connection-string'],
  ['connectionuri', 'connection-string'],
  ['connectionurl', 'connection-string'],
  ['databaseurl', 'connection-string'],
  ['dburl', 'connection-string'],
];

/** Before `pass` or `pwd` these make it a password; alone it is a verdict, a compiler's pass or a directory. */
const accountWords: ReadonlySet<string> = wordSet(
  'db database user admin root auth basic proxy sudo login account my smtp imap mail email ftp ' +
    'sftp ssh mysql pg postgres redis mongo ldap',
);

/** Words after the name that still mean the secret itself: `token_value`, `tokenBase64`; numbers count as well. */
const valueWords: ReadonlySet<string> = wordSet(
  'value val text raw plain plaintext header env base b encoded hash confirm confirmation again ' +
    'repeat new old current',
);

/** Words that make a `token` a unit of text or a place in a list, not a credential. */
const harmlessTokenWords: ReadonlySet<string> = wordSet(
  'max min maximum minimum num count total prompt completion input output per page next previous ' +
    'continuation continue cursor pagination sync first last stop start end eos bos pad unk sep cls ' +
    'mask special thinking reasoning cancel cancellation abort design cached budget',
);

/** Words before a plural `tokens` that make it a list of credentials; plain `tokens` are counted text. */
const credentialTokens =
  /(?:access|refresh|auth|api|bearer|session|csrf|xsrf|secret|oauth|github|gitlab|slack|npm|deploy|registration)tokens$/;
/** Of an environment: `OPENAI_KEY`. In other spellings `key` is a place in a table or a cache more often than a secret. */
const environmentKey = /^(?:[A-Z][A-Z0-9]*_)+KEY$/;
const harmlessKeys =
  /(?:^|_)(?:PUBLIC|PRIMARY|FOREIGN|UNIQUE|SORT|PARTITION|HASH|RANGE|CACHE|ROUTING|IDEMPOTENCY|LOOKUP|OBJECT|MAP|INDEX|GROUP|ROW|SHARD|HOT|SHORTCUT|ARROW|ESCAPE|ENTER|TAB|RETURN|META|CTRL|ALT|SHIFT|I18N|TRANSLATION|MESSAGE|CONFIG|STORAGE|REGISTRY|SORTING|COMPOSE|ANY|PRESS)_KEY$/;
const precheck = /auth|cookie|pass|pwd|secret|key|cred|token|sess|sid|conn|d(?:ata)?b(?:ase)?[^a-z]?url|dsn|bearer/i;

/**
 * The kind of secret that a key announces, or `undefined`. `max_tokens`, `tokenCount`, `keyboard`, `nextPageToken`,
 * `password_file` and the like announce none.
 */
export function secretKindOfKey(key: string): string | undefined {
  // No name of a secret is longer; a long key must not cost more than its share.
  const written = key.slice(-128);
  const tail = plainAscii.test(written) ? written : written.normalize('NFKC');
  if (!precheck.test(tail)) return undefined;
  const words = wordsOf(tail);
  while (words.length > 1 && isValueWord(words.at(-1) ?? '')) words.pop();
  const joined = words.join('');
  if (joined === 'bearer' || joined === 'xauth') return 'authorization';
  if (tail === '_auth') return 'authorization';
  if (joined.endsWith('tokens')) return credentialTokens.test(joined) ? 'token' : undefined;
  const name = joined.replace(/s$/, '');
  for (const [ending, kind] of endings) {
    if (!joined.endsWith(ending) && !name.endsWith(ending)) continue;
    if (kind === 'token' && isHarmlessToken(words, name)) return undefined;
    return kind;
  }
  if (environmentKey.test(tail)) return harmlessKeys.test(tail) ? undefined : 'api-key';
  const last = words.at(-1);
  if (last === 'dsn') return 'connection-string';
  return (last === 'pass' || last === 'pwd') && accountWords.has(words.at(-2) ?? '') ? 'password' : undefined;
}

/**
 * For keys whose value decides: `pwd` is a password unless it is a directory; `auth` is a secret where it looks like
 * `user:password` or a token, else a method or a switch (`"basic"`).
 */
export function secretKindByValue(key: string, value: JsonValue): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (key === 'pwd') return /^(?:[/~\\.]|[A-Za-z]:[/\\])/.test(value) ? undefined : 'password';
  return key === 'auth' && looksLikeAuth(value) ? 'authorization' : undefined;
}

function looksLikeAuth(value: string): boolean {
  if (/\s/.test(value)) return false;
  return (value.includes(':') && !value.includes('://')) || (/[A-Za-z0-9]{16}/.test(value) && /\d/.test(value));
}

function wordsOf(key: string): string[] {
  return key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d{1,9})$/, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function isValueWord(word: string): boolean {
  return valueWords.has(word) || /^\d+$/.test(word);
}

function isHarmlessToken(words: readonly string[], name: string): boolean {
  if (harmlessTokenWords.has(words.at(-2) ?? '')) return true;
  return harmlessTokenWords.has(name.slice(0, -'token'.length));
}
