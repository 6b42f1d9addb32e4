/**
 * One statement of a classic BPF program over `struct seccomp_data`. A jump goes forward to a label; a side
 * that names no label falls through to the next statement.
 */
export type Statement =
  | { readonly op: 'load'; readonly offset: number }
  | { readonly op: 'and'; readonly value: number }
  | {
      readonly op: 'jump-if';
      readonly test: 'equal' | 'at-least';
      readonly value: number;
      readonly match?: string;
      readonly otherwise?: string;
    }
  | { readonly op: 'label'; readonly name: string }
  | { readonly op: 'return'; readonly value: number };

/** Bytes of one `struct sock_filter`: code (16 bit), jt (8), jf (8), k (32). */
const INSTRUCTION_BYTES = 8;
/** The kernel takes no longer program (BPF_MAXINSNS). */
const MAX_INSTRUCTIONS = 4096;
/** Offsets of conditional jumps are 8 bits wide. */
const MAX_JUMP = 255;

const LOAD_WORD = 0x20; // BPF_LD | BPF_W | BPF_ABS
const AND = 0x54; // BPF_ALU | BPF_AND | BPF_K
const JUMP_EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const JUMP_AT_LEAST = 0x35; // BPF_JMP | BPF_JGE | BPF_K, unsigned
const RETURN = 0x06; // BPF_RET | BPF_K

type Instruction = Exclude<Statement, { op: 'label' }>;

/** The fields of `struct sock_filter`. */
interface Encoded {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

/**
 * Assembles statements to an array of `struct sock_filter`, little endian, as `bwrap --seccomp FD` reads it.
 * Throws a `RangeError` for a program the kernel would refuse: a jump that is unknown, backward or too far,
 * or a length it does not take.
 */
export function assemble(statements: readonly Statement[]): Uint8Array {
  const labels = new Map<string, number>();
  const instructions: Instruction[] = [];
  for (const statement of statements) {
    if (statement.op !== 'label') {
      instructions.push(statement);
    } else if (labels.has(statement.name)) {
      throw new RangeError(`seccomp: label "${statement.name}" stands twice`);
    } else {
      labels.set(statement.name, instructions.length);
    }
  }
  if (instructions.length === 0 || instructions.length > MAX_INSTRUCTIONS) {
    throw new RangeError(`seccomp: expected 1 to ${MAX_INSTRUCTIONS} instructions, got ${instructions.length}`);
  }
  const bytes = new Uint8Array(instructions.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, instruction] of instructions.entries()) {
    const { code, k, jt, jf } = encode(instruction, index, labels);
    const at = index * INSTRUCTION_BYTES;
    view.setUint16(at, code, true);
    view.setUint8(at + 2, jt);
    view.setUint8(at + 3, jf);
    view.setUint32(at + 4, k, true);
  }
  return bytes;
}

function encode(instruction: Instruction, index: number, labels: ReadonlyMap<string, number>): Encoded {
  switch (instruction.op) {
    case 'load':
      return { code: LOAD_WORD, k: instruction.offset, jt: 0, jf: 0 };
    case 'and':
      return { code: AND, k: instruction.value, jt: 0, jf: 0 };
    case 'return':
      return { code: RETURN, k: instruction.value, jt: 0, jf: 0 };
    default:
      return {
        code: instruction.test === 'equal' ? JUMP_EQUAL : JUMP_AT_LEAST,
        k: instruction.value,
        jt: distance(instruction.match, index, labels),
        jf: distance(instruction.otherwise, index, labels),
      };
  }
}

function distance(label: string | undefined, from: number, labels: ReadonlyMap<string, number>): number {
  if (label === undefined) return 0;
  const target = labels.get(label);
  if (target === undefined) throw new RangeError(`seccomp: unknown label "${label}"`);
  const jump = target - from - 1;
  if (jump < 0 || jump > MAX_JUMP) {
    throw new RangeError(`seccomp: expected a jump of 0 to ${MAX_JUMP} to "${label}", got ${jump}`);
  }
  return jump;
}
