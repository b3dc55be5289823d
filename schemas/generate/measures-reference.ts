import { loincSource, loincTerms } from '../measures/loinc.ts';
import { type Measure, unitNames } from '../measures/measure.ts';
import { columnMeasures, columnsWithoutMeasure, resourcesWithoutMeasure, sampleMeasures } from '../measures/measures.ts';

const head = ['measure', 'name', 'kind', 'unit', 'plausible', 'also converted from', 'LOINC'];

const code = (text: string): string => `\`${text}\``;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function loincCell({ loinc }: Measure): string {
  if (loinc === undefined) return 'none';
  return `${loinc.code} ${loincTerms[loinc.code].name}, ${loinc.match}`;
}

/** The units as sent, with the first spelling of each. A unit that needs no conversion is left out. */
function convertedFrom({ sent }: Measure): string {
  return (sent ?? [])
    .slice(1)
    .map(({ spelled }) => code(spelled[0]!))
    .join(', ');
}

function row(measure: Measure): string[] {
  const { id, name, kind, unit, plausible } = measure;
  return [code(id), name, kind, code(unit), plausible.join(' … '), convertedFrom(measure), loincCell(measure)];
}

const reasons = (entries: Readonly<Record<string, string>>): string[][] =>
  Object.entries(entries).map(([name, reason]) => [code(name), reason]);

export function measuresPage(): string {
  return [
    '# Measures',
    '',
    'This page is generated from the declarations in `schemas/measures/` by `npm run generate`. A test fails if they differ. The view `measures` has the same rows.',
    '',
    '- `additive_interval` is an amount during an interval, and `additive_event` an amount at a moment. `level` is a state, which never adds up. `duration` is a length of time.',
    '- The unit is a [UCUM](https://ucum.org) code. Values outside the plausible range get a [quality flag](../guides/querying.md#quality-flags).',
    '- A sample counts towards its measure if its unit is the canonical one, can be converted to it, or is missing. Each unit has several spellings, which the view `unit_conversions` lists. Letter case and spaces around the unit do not matter. The view `data_issues` [counts all other samples](../guides/querying.md#data-issues).',
    '- LOINC: `exact` means that the code and the measure have the same meaning. `broader` means that the code covers the measure and more. Aorta uses no code that is more specific than the data, except that lipids count as measured in serum or plasma.',
    '',
    `Each code is in a published list of all codes, \`${loincSource}\`. A test reads the list, and compares the class of each code with the class that the meaning requires.`,
    '',
    'The [LOINC notice](../../schemas/measures/LOINC-NOTICE.md) applies to the codes.',
    '',
    '## Samples',
    '',
    'The measure of a sample is its resource. Some sample types have a measure of their own, whose id is the resource and the type.',
    '',
    table(head, sampleMeasures.map(row)),
    '',
    '## Columns',
    '',
    'The id of the measure is the table and the column.',
    '',
    table(head, columnMeasures.map(row)),
    '',
    '## Units',
    '',
    table(
      ['code', 'meaning'],
      Object.entries(unitNames).map(([unit, name]) => [code(unit), name]),
    ),
    '',
    '## Numbers that are not measures',
    '',
    table(['resource or column', 'reason'], [...reasons(resourcesWithoutMeasure), ...reasons(columnsWithoutMeasure)]),
    '',
  ].join('\n');
}
