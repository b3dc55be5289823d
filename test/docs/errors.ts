import { errorCatalogue } from '../../pipelines/aorta/catalogues.ts';
import { lineMatches, linesOf } from './expectation.ts';

const templates = new Map(Object.entries(errorCatalogue).map(([code, entry]) => [code, entry]));

/** Whether a text consists only of errors from the catalogue, with two lines per error. `…` matches a name or a count. */
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

/** Whether a text matches a template from the catalogue. Commands in a template are completed, so their options may differ. */
function isFilled(template: string, text: string): boolean {
  const open = template
    .replaceAll('…', '\u0000')
    .replace(/\{[a-z_]+\}/g, '…')
    .replace(/`aorta [^`]*`/g, '`…`');
  return lineMatches(open, text.replaceAll('FILE…', 'FILE\u0000'));
}
