export interface TableColumn {
  readonly name: string;
  readonly align?: 'left' | 'right';
  /** Never cut, even if the line then exceeds the width of the terminal. */
  readonly whole?: true;
}

/** Printed for NULL, to distinguish it from an empty string. */
export const nullMark = '∅';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|^\p{Emoji_Presentation}/u;
const plain = /^[\x20-\x7e]*$/;

/** Returns the number of terminal columns that the text occupies. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** Replaces control characters with visible symbols, so that a value can neither move the cursor nor break a line. */
export function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the function replaces control characters
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\ufffd';
  });
}

/** Shortens a text to at most `width` columns. `…` marks where it was cut. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width <= 1) return '…'.slice(0, width);
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = wide.test(segment) ? 2 : 1;
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept}…`;
}

/** Returns the column widths for these rows. If `limit` is given, shrinks the widest columns until all fit. */
export function columnWidths(columns: readonly TableColumn[], rows: readonly (readonly string[])[], limit?: number): number[] {
  const widths = columns.map((column, index) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[index] ?? '')), displayWidth(column.name)),
  );
  if (limit === undefined) return widths;
  const room = Math.max(limit - gap.length * (columns.length - 1), columns.length * narrowest);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths.filter((_, index) => columns[index]?.whole !== true));
    if (widest <= narrowest) break;
    widths[widths.findIndex((width, index) => width === widest && columns[index]?.whole !== true)] = widest - 1;
    excess -= 1;
  }
  return widths;
}

const gap = '  ';
const narrowest = 4;

export function tableLine(cells: readonly string[], widths: readonly number[], columns: readonly TableColumn[]): string {
  return cells
    .map((cell, index) => {
      const width = widths[index] ?? 0;
      const shown = cut(cell, width);
      const padding = ' '.repeat(Math.max(0, width - displayWidth(shown)));
      return columns[index]?.align === 'right' ? padding + shown : shown + padding;
    })
    .join(gap)
    .trimEnd();
}

/** Returns the lines above the rows: the column names and a rule. */
export function tableHead(columns: readonly TableColumn[], widths: readonly number[]): string[] {
  return [
    tableLine(
      columns.map((column) => column.name),
      widths,
      columns,
    ),
    widths.map((width) => '─'.repeat(width)).join(gap),
  ];
}

/** Formats a table, including a final line break. Makes control characters in cells visible. */
export function table(columns: readonly TableColumn[], rows: readonly (readonly string[])[], limit?: number): string {
  const safe = rows.map((row) => row.map(visible));
  const widths = columnWidths(columns, safe, limit);
  const lines = [...tableHead(columns, widths), ...safe.map((row) => tableLine(row, widths, columns))];
  return `${lines.join('\n')}\n`;
}
