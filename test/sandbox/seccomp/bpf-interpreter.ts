/** A `struct seccomp_data` of one system call. */
export interface SeccompData {
  readonly nr: number;
  readonly arch: number;
  readonly args?: readonly bigint[];
}

const DATA_BYTES = 64;

/**
 * Runs a filter as the kernel does, and refuses what its checker refuses: unknown codes, unaligned or far loads,
 * jumps past the end, a last instruction that does not return. Gives the 32-bit return value.
 */
export function runFilter(program: Uint8Array, data: SeccompData): number {
  const memory = dataOf(data);
  const { instructions } = decode(program);
  let accumulator = 0;
  for (let pc = 0; ;) {
    const instruction = instructions[pc];
    if (instruction === undefined) throw new Error(`ran past the end at ${pc}`);
    const { code, jt, jf, k } = instruction;
    pc += 1;
    switch (code) {
      case 0x20:
        accumulator = memory.getUint32(k, true);
        break;
      case 0x54:
        accumulator = (accumulator & k) >>> 0;
        break;
      case 0x15:
        pc += accumulator === k ? jt : jf;
        break;
      case 0x35:
        pc += accumulator >= k ? jt : jf;
        break;
      case 0x06:
        return k;
      default:
        throw new Error(`unknown code 0x${code.toString(16)} at ${pc - 1}`);
    }
  }
}

interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

const decoded = new WeakMap<Uint8Array, { instructions: readonly Instruction[] }>();

function decode(program: Uint8Array): { instructions: readonly Instruction[] } {
  const known = decoded.get(program);
  if (known) return known;
  if (program.length === 0 || program.length % 8 !== 0) throw new Error(`odd length ${program.length}`);
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const count = program.length / 8;
  const instructions = Array.from({ length: count }, (_, index) => {
    const at = index * 8;
    return {
      code: view.getUint16(at, true),
      jt: view.getUint8(at + 2),
      jf: view.getUint8(at + 3),
      k: view.getUint32(at + 4, true),
    };
  });
  for (const [index, { code, jt, jf, k }] of instructions.entries()) {
    if (code === 0x20 && (k % 4 !== 0 || k + 4 > DATA_BYTES)) throw new Error(`bad load of ${k} at ${index}`);
    if ((code & 0x07) === 0x05 && index + 1 + Math.max(jt, jf) >= count)
      throw new Error(`jump past the end at ${index}`);
  }
  if (instructions[count - 1]?.code !== 0x06) throw new Error('the last instruction does not return');
  const result = { instructions };
  decoded.set(program, result);
  return result;
}

function dataOf({ nr, arch, args = [] }: SeccompData): DataView {
  const view = new DataView(new ArrayBuffer(DATA_BYTES));
  view.setInt32(0, nr | 0, true);
  view.setUint32(4, arch, true);
  for (const [index, value] of args.entries()) view.setBigUint64(16 + index * 8, BigInt.asUintN(64, value), true);
  return view;
}
