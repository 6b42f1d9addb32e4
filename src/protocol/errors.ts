const brand = Symbol.for('hookcell.error');

/** Codes of errors that are the caller's to mend; failures of hooks are causes, never thrown. */
export type ErrorCode =
  | 'invalid_event'
  | 'invalid_pack'
  | 'invalid_options'
  | 'invalid_agent'
  /** The operator's configuration file. */
  | 'invalid_configuration'
  | 'executor_closed'
  | 'hook_denied'
  | 'sandbox_unavailable'
  | 'internal';

/** One finding in bad input: what is wrong, where, and what to do. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  /** The file, or `<stdin>`, `--flag`, `options`. */
  readonly file?: string;
  /** RFC 6901 pointer into the document. */
  readonly pointer?: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
}

/**
 * An error of hookcell. Match on `.code`; `instanceof` also holds across two copies of the package.
 */
export class HookcellError extends Error {
  override readonly name: string = 'HookcellError';
  readonly code: ErrorCode;
  readonly findings: readonly Finding[];

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; findings?: readonly Finding[] } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.findings = options.findings ?? [];
    Object.defineProperty(this, brand, { value: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== 'object' || value === null || !(brand in value)) return false;
    // A subclass must not claim errors of its siblings.
    return this === HookcellError || Object.prototype.isPrototypeOf.call(this.prototype, value);
  }
}
