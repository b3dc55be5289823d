/** A row of the tables that name the tests of each sentence of the service's specification. */
export interface SpecifiedRow {
  /** Line number in the document, starting at 1. */
  readonly line: number;
  readonly section: string;
  readonly sentence: string;
  readonly proofs: readonly Proof[];
}

interface Proof {
  /** From the root of the repository. */
  readonly file: string;
  readonly name: string;
}

const HOME = 'infra/service/';
/** A name with backticks stands between double ones. */
const PROOF = /^`([^`]+\.test\.ts)`: (`+) ?(.+?) ?\2$/;

/** Returns the rows of all tables with the columns "Sentence" and "Tests". Throws an `Error` with the line of a malformed row. */
export function specifiedRows(markdown: string): SpecifiedRow[] {
  const rows: SpecifiedRow[] = [];
  let section = '';
  for (const [index, text] of markdown.split('\n').entries()) {
    section = /^## (.+)$/.exec(text)?.[1] ?? section;
    if (!text.startsWith('|') || /^\|\s*(?:Sentence\s*\||-)/.test(text)) continue;
    const [, sentence = '', proofs = '', ...rest] = text.split('|').map((cell) => cell.trim());
    if (sentence === '' || rest.join('') !== '') throw new Error(`line ${index + 1}: not a row of two cells`);
    rows.push({ line: index + 1, section, sentence, proofs: proofsOf(proofs, index + 1) });
  }
  return rows;
}

function proofsOf(cell: string, line: number): readonly Proof[] {
  return cell.split('<br>').map((text) => {
    const [, file, , name] = PROOF.exec(text.trim()) ?? [];
    if (file === undefined || name === undefined) throw new Error(`line ${line}: not \`file.test.ts\`: \`name\``);
    return { file: file.startsWith('test/') ? file : `${HOME}${file}`, name };
  });
}
