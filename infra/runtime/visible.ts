/**
 * The characters that a terminal does not show as they are: control characters, line and paragraph separators, half surrogate
 * pairs, and invisible format characters. Some of these change the direction of text. Emoji and some scripts need the joiners
 * U+200C and U+200D, so these stay.
 */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}[[\p{Cf}&&\p{Default_Ignorable_Code_Point}]--[\u200c\u200d]]]/gv;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Makes a name or a value from outside safe to print: hidden characters become escapes such as `\x1b`, `\n` and `\u202e`. So
 * a value can neither control the terminal nor forge a line. A second call changes nothing.
 */
export function visible(text: string): string {
  return text.replace(hidden, (sign) => named[sign] ?? (sign <= '\u00ff' || isByte(sign) ? hexadecimal(sign) : units(sign)));
}

/**
 * Returns a text whose hidden characters are visible, except line breaks. JSON keeps its meaning, because its strings have
 * no raw characters below U+0020, and the other escapes are valid in JSON.
 */
export function visibleLines(text: string): string {
  return text.replace(hidden, (sign) => {
    if (sign === '\n') return sign;
    return named[sign] ?? (sign < ' ' ? hexadecimal(sign) : units(sign));
  });
}

/** Whether the sign stands for a byte of a file name that is not UTF-8 (`files/path-bytes.ts`). */
const isByte = (sign: string): boolean => /^[\udc80-\udcff]$/.test(sign);

const digits = (code: number, length: number): string => code.toString(16).padStart(length, '0');
const hexadecimal = (sign: string): string => `\\x${digits(sign.charCodeAt(0) & 0xff, 2)}`;
/** Escapes each UTF-16 unit, as JSON does. */
const units = (sign: string): string => sign.replace(/[\s\S]/g, (unit) => `\\u${digits(unit.charCodeAt(0), 4)}`);
