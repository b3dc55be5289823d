import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyShared, longText, plainWords, shared } from './document.fixture.ts';
import { misplaced, readPdf } from './pdf-reader.fixture.ts';
import { type ReportFacts, resultReportPdf } from './result-report.ts';

const ldl = { name: 'LDL cholesterol', result: '142', unit: 'mg/dL', referenceRange: '<100', flag: 'high', note: null } as const;

const facts: ReportFacts = {
  ...shared,
  status: 'final',
  sampleType: 'Serum',
  collected: '2026-11-28T09:10:00Z',
  received: '2026-11-28T18:40:00+02:00',
  reported: '2026-11-30T07:00:00Z',
  results: [
    ldl,
    { name: 'Sodium', result: '140', unit: 'mmol/L', referenceRange: '136–145', flag: null, note: null },
    { name: 'Vitamin D', result: '11', unit: 'ng/mL', referenceRange: '≥30', flag: 'low', note: 'Repeat in three months.' },
    { name: 'Nitrite', result: 'Positive', unit: null, referenceRange: 'Negative', flag: 'abnormal', note: null },
    { name: 'Culture', result: 'Growth', unit: null, referenceRange: null, flag: 'critical', note: null },
    { name: 'Glucose', result: '512', unit: 'mg/dL', referenceRange: '70–99', flag: 'critical_high', note: null },
    { name: 'Potassium', result: '2.1', unit: 'mmol/L', referenceRange: '3.5–5.1', flag: 'critical_low', note: null },
  ],
  missingResults: [{ name: 'Insulin', reason: 'The quantity was not sufficient.' }],
  notes: ['The sample was hemolyzed.'],
};

it('a report has the patient, the times, the results with their flags in words, and the missing results', async () => {
  const file = await resultReportPdf(facts);
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
  const [page, ...others] = await readPdf(file);
  expect(others).toEqual([]);
  for (const text of [
    'Laboratory report Northgate Laboratories',
    'Zoë Núñez',
    'Mar 14, 1980',
    'Maria Okafor',
    '1234567893',
    'NL-20817',
    'Status Final',
    'AR48',
    'Nov 28, 2026, 09:10 UTC',
    'Nov 28, 2026, 16:40 UTC',
    'Nov 30, 2026, 07:00 UTC',
    'LDL cholesterol 142 mg/dL <100 High',
    'Sodium 140 mmol/L 136–145 Vitamin D 11 ng/mL >=30 Low Repeat in three months.',
    'Nitrite Positive Negative Abnormal',
    'Culture Growth Critical',
    'Glucose 512 mg/dL 70–99 Critical high',
    'Potassium 2.1 mmol/L 3.5–5.1 Critical low',
    'Insulin The quantity was not sufficient.',
    'The sample was hemolyzed.',
    'Reference implementation: not for use with real patients.',
    'Page 1 of 1',
  ])
    expect(page!.words).toContain(text);
  expect(misplaced([page!])).toEqual([]);
});

it('a partial report says that more results will follow, even if there are none yet', async () => {
  const [page] = await readPdf(
    await resultReportPdf({ ...facts, status: 'partial', results: [], missingResults: [], notes: [] }),
  );
  for (const text of ['Laboratory report (partial)', 'Partial: more results will follow', 'No results yet.'])
    expect(page!.words).toContain(text);
  for (const absent of ['Results not available', 'Notes']) expect(page!.words).not.toContain(absent);
});

it('many results continue on the next pages, with the patient, the sample id and the titles of the table', async () => {
  const results = Array.from({ length: 60 }, (_, index) => ({ ...ldl, name: `Analyte ${100 + index}` }));
  const pages = await readPdf(await resultReportPdf({ ...facts, results }));
  expect(pages).toHaveLength(3);
  pages.forEach(({ words }, index) => {
    for (const text of ['Zoë Núñez', 'Mar 14, 1980', 'AR48', `Page ${index + 1} of 3`, 'Test Result Unit Reference range Flag'])
      expect(words).toContain(text);
  });
  expect(pages.flatMap(({ words }) => words.match(/Analyte \d+ 142 mg\/dL <100 High/g) ?? [])).toHaveLength(60);
});

it('the same facts give the same bytes', async () => {
  expect((await resultReportPdf(structuredClone(facts))).equals(await resultReportPdf(facts))).toBe(true);
});

it('no text leaves the page, overlaps another text or is lost, however long it is', async () => {
  const flag = fc.constantFrom('high', 'low', 'abnormal', 'critical', 'critical_high', 'critical_low', null);
  const anyResult = fc.record({
    name: longText,
    result: longText,
    unit: fc.option(longText),
    referenceRange: fc.option(longText),
    flag,
    note: fc.option(longText),
  });
  const anyFacts = fc
    .record({
      status: fc.constantFrom('final', 'partial'),
      sampleType: fc.option(longText),
      reported: longText,
      collected: fc.option(longText),
      received: fc.option(longText),
      notes: fc.array(longText, { maxLength: 3 }),
      results: fc.array(anyResult, { maxLength: 8 }),
      missingResults: fc.array(fc.record({ name: longText, reason: longText }), { maxLength: 4 }),
    })
    .chain((facts) => anyShared.map((common): ReportFacts => ({ ...common, ...facts })));
  await fc.assert(
    fc.asyncProperty(anyFacts, async (random) => {
      const pages = await readPdf(await resultReportPdf(random));
      expect(misplaced(pages)).toEqual([]);
      const words = new Set(pages.flatMap((page) => page.words.split(' ')));
      const wanted = plainWords([
        ...random.results.flatMap(({ name, result, unit, referenceRange, note }) => [name, result, unit, referenceRange, note]),
        ...random.missingResults.flatMap(({ name, reason }) => [name, reason]),
        ...random.notes,
      ]);
      expect(wanted.filter((each) => !words.has(each))).toEqual([]);
    }),
    { numRuns: 8 },
  );
});
