import { visible } from '@aorta/runtime';

const gap = '  ';
const narrowest = 4;

export interface TableColumn {
  readonly name: string;
  readonly align?: 'left' | 'right';
  /** Never cut, even if the line then exceeds the width of the terminal. */
  readonly whole?: true;
}

/** Printed for NULL, to distinguish it from an empty string. */
export const nullMark = '∅';

// Creating a segmenter takes 7 ms, and most tables are plain ASCII.
let segmenter: Intl.Segmenter | undefined;
function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}
const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|^\p{Emoji_Presentation}/u;
const plain = /^[\x20-\x7e]*$/;

/** Returns the number of terminal columns that the text occupies. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmentsOf(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** Shortens a text to at most `width` columns. `…` marks where it was cut. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width <= 1) return '…'.slice(0, width);
  let kept = '';
  let used = 0;
  for (const { segment } of segmentsOf(text)) {
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

/** Formats a table, including a final line break. Makes hidden characters in names and cells visible. */
export function table(columns: readonly TableColumn[], rows: readonly (readonly string[])[], limit?: number): string {
  const safe = rows.map((row) => row.map(visible));
  const named = columns.map((column) => ({ ...column, name: visible(column.name) }));
  const widths = columnWidths(named, safe, limit);
  const lines = [...tableHead(named, widths), ...safe.map((row) => tableLine(row, widths, named))];
  return `${lines.join('\n')}\n`;
}
