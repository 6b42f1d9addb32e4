/** What bubblewrap itself says of a run, on a descriptor that the program inside does not have. */
export interface WallStatus {
  /** Process id, outside, of the sandbox's first process; ending it ends everything inside. */
  readonly childPid?: number;
  /** Present only if the program was really executed. 128 + n when signal n ended it. */
  readonly exitCode?: number;
}

/** Collects the lines of `--json-status-fd`: one JSON object each, unknown ones are passed over. */
export class StatusChannel {
  #text = '';
  #status: WallStatus = {};

  get status(): WallStatus {
    return this.#status;
  }

  push(chunk: string): void {
    this.#text += chunk;
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    const childPid = /"child-pid": (\d+)/u.exec(line)?.[1];
    const exitCode = /"exit-code": (\d+)/u.exec(line)?.[1];
    if (childPid !== undefined) this.#status = { ...this.#status, childPid: Number(childPid) };
    if (exitCode !== undefined) this.#status = { ...this.#status, exitCode: Number(exitCode) };
  }
}
