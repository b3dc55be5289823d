import type { TxtNode } from '@textlint/ast-node-types';
import { split } from 'sentence-splitter';

export interface Sentence {
  /** The text without Markdown markup. Each code span is replaced by the word `code`. */
  readonly text: string;
  /** Offset of the first character of the sentence in the document. */
  readonly index: number;
}

/** Returns the sentences of a paragraph, heading or table cell. */
export function sentencesOf(node: TxtNode): Sentence[] {
  const letters = { text: '', at: [] as number[] };
  collect(node, letters);
  return split(letters.text)
    .filter(({ type }) => type === 'Sentence')
    .map(({ raw, range }) => ({ text: raw.trim(), index: letters.at[range[0] + raw.length - raw.trimStart().length]! }));
}

function collect(node: TxtNode, letters: { text: string; at: number[] }): void {
  if ('children' in node && Array.isArray(node.children)) {
    for (const child of node.children as TxtNode[]) collect(child, letters);
  } else if (node.type === 'Break') {
    append(' ', node.range[0], letters);
  } else if (node.type === 'Code') {
    append('code', node.range[0], letters, false);
  } else if (node.type === 'Str') {
    append(node.raw.replaceAll('\n', ' '), node.range[0], letters);
  }
}

function append(text: string, from: number, letters: { text: string; at: number[] }, each = true): void {
  for (let offset = 0; offset < text.length; offset++) letters.at.push(each ? from + offset : from);
  letters.text += text;
}

/** Counts words. A word is any text between spaces that contains a letter or a digit. A list of code spans counts as one word. */
export function wordsIn(text: string): number {
  return text
    .replace(/\bcode(?:, code)+\b/g, 'code')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
