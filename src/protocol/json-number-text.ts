/**
 * A form of a JSON number's text that is equal for equal values: sign, digits without outer zeros, exponent.
 * `1.0`, `1` and `10e-1` all give `1e0`; both zeros give `0`.
 */
export function decimalForm(text: string): string {
  const negative = text.startsWith('-');
  const [mantissa = '', exponentText = '0'] = (negative ? text.slice(1) : text).toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  // Loops, since a regex for trailing zeros is quadratic on hostile digits.
  while (start < end && digits.charCodeAt(start) === 48) start += 1;
  while (end > start && digits.charCodeAt(end - 1) === 48) end -= 1;
  if (start === end) return '0';
  const shift = digits.length - end - fraction.length;
  // An exponent too long for exact arithmetic stays text: no double has it, so equal forms still mean equal values.
  const exponent = exponentText.length > 15 ? `${exponentText}+${shift}` : String(Number(exponentText) + shift);
  return `${negative ? '-' : ''}${digits.slice(start, end)}e${exponent}`;
}

/** True when a number's value survives the way through a double: `1.0` does, `9007199254740993` and `1e400` do not. */
export function survivesDouble(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  const written = String(value);
  return written === text || decimalForm(written) === decimalForm(text);
}
