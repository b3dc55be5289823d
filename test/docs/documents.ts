import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** A fenced block of a document. */
export interface Block {
  readonly document: string;
  /** Line number of the opening fence, starting at 1. */
  readonly line: number;
  /** The first word after the fence, or an empty string. */
  readonly language: string;
  /** The text after the language, such as `exit=2`. */
  readonly note: string;
  readonly text: string;
}

/** Returns the paths of all documents except the generated reference pages, which test/architecture compares with the code. */
export function documents(): string[] {
  return [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...globSync(['docs/*.md', 'docs/decisions/*.md', '{schemas,connectors,pipelines,test}/README.md'], { cwd: root }),
    ...guides(),
  ].sort();
}

function guides(): string[] {
  return globSync('docs/guides/**/*.md', { cwd: root });
}

/** Returns the pages whose examples are not run. The tests check their links, names and configurations. */
export function referencePages(): string[] {
  return [...globSync(['docs/reference/*.md', 'infra/*/README.md'], { cwd: root }), 'connectors/log/FORMAT.md'].sort();
}

export function textOf(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

export function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; note: string; lines: string[] } | undefined;
  for (const [index, line] of textOf(document).split('\n').entries()) {
    const fence = /^\s*```(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) {
      const [language = '', ...note] = fence[1]!.trim().split(' ');
      open = { line: index + 1, language, note: note.join(' '), lines: [] };
    } else {
      const { lines, ...rest } = open;
      blocks.push({ document, ...rest, text: lines.map((one) => `${one}\n`).join('') });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${document}:${open.line}: the fence is not closed`);
  return blocks;
}

/** Returns a document without its fenced blocks. */
export function proseOf(document: string): string {
  return textOf(document).replace(/^\s*```[\s\S]*?^\s*```\s*$/gm, '');
}
