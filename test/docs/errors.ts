import { errorCatalogue } from '../../pipelines/aorta/catalogues.ts';
import { lineMatches, linesOf } from './expectation.ts';

const templates = new Map(Object.entries(errorCatalogue).map(([code, entry]) => [code, entry]));

/** Whether the text is errors as the program prints them: two lines each, out of the catalogue, with `…` for names and counts. */
export function isError(text: string): boolean {
  const lines = linesOf(text);
  return (
    lines.length % 2 === 0 &&
    lines.every((line, index) => {
      if (index % 2 === 1) return true;
      const [, message, code] = /^aorta: (.*) \[([A-Z-]+)\]$/.exec(line) ?? [];
      const entry = templates.get(code ?? '');
      const remedy = lines[index + 1]!;
      return entry !== undefined && isFilled(entry.message, message!) && isFilled(`  ${entry.remedy}`, remedy);
    })
  );
}

/** Whether a sentence of the catalogue can read like this. */
function isFilled(template: string, text: string): boolean {
  return lineMatches(template.replaceAll('…', '\u0000').replace(/\{[a-z_]+\}/g, '…'), text.replaceAll('FILE…', 'FILE\u0000'));
}
