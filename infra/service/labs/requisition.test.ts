import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyShared, longText, plainWords, shared } from './document.fixture.ts';
import { misplaced, readPdf } from './pdf-reader.fixture.ts';
import { type RequisitionFacts, requisitionPdf } from './requisition.ts';

const lipids = {
  code: '303756',
  name: 'Lipid panel',
  sampleType: 'Serum',
  isFasting: true,
  markers: [
    { code: '2089-1', name: 'LDL cholesterol' },
    { code: '2085-9', name: 'HDL cholesterol' },
    { code: '2571-8', name: 'Triglycerides' },
  ],
};

const facts: RequisitionFacts = {
  ...shared,
  created: '2026-11-27T14:05:00Z',
  tests: [lipids],
  icdCodes: ['E78.5', 'Z13.220'],
  billingType: 'Client bill',
  isPriority: true,
  clinicalNotes: 'Tired for three weeks.',
  collectionMethod: 'Walk-in',
  answers: [{ question: 'Hours since the last meal', answer: '12' }],
};

const manyTests = Array.from({ length: 25 }, (_, index) => ({
  ...lipids,
  code: `T${100 + index}`,
  name: `Panel ${100 + index}`,
}));

it('a requisition is one Letter page with the facts of the order', async () => {
  const file = await requisitionPdf(facts);
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
  const [page, ...others] = await readPdf(file);
  expect(others).toEqual([]);
  expect(page).toMatchObject({ width: 612, height: 792 });
  for (const text of [
    'Laboratory requisition',
    'Northgate Laboratories',
    '2100 Harbor Parkway · Suite 400 · Portland, OR 97201',
    'NL-20817',
    'Zoë Núñez',
    'Mar 14, 1980',
    'Female',
    '+15035550142',
    'zoe@example.com',
    'Apartment 5B',
    'Maria Okafor',
    '1234567893',
    'AR48',
    'Nov 27, 2026, 14:05 UTC',
    'Walk-in',
    'Urgent',
    'Client bill',
    'E78.5, Z13.220',
    '303756 Lipid panel Serum Required',
    '2089-1 LDL cholesterol 2085-9 HDL cholesterol 2571-8 Triglycerides',
    'Hours since the last meal 12',
    'Tired for three weeks.',
    'Patient’s signature',
    'Collector’s signature',
    'Reference implementation: not for use with real patients.',
    'Order order-1',
    'Page 1 of 1',
  ])
    expect(page!.words).toContain(text);
});

it('a requisition without optional facts has dashes for them and no empty sections', async () => {
  const [page] = await readPdf(
    await requisitionPdf({
      ...facts,
      physician: null,
      clinicalNotes: null,
      answers: [],
      icdCodes: [],
      isSample: false,
      isPriority: false,
    }),
  );
  expect(page!.words).toMatch(/Physician – .*NPI – .*ICD-10 codes –/);
  expect(page!.words).toContain('Routine');
  for (const absent of ['Clinical notes', 'Questions', 'Reference implementation']) expect(page!.words).not.toContain(absent);
});

it('many tests continue on the next pages, each with the patient, the sample id and the titles of the table', async () => {
  const pages = await readPdf(await requisitionPdf({ ...facts, tests: manyTests }));
  expect(pages).toHaveLength(3);
  pages.forEach(({ words }, index) => {
    for (const text of ['Zoë Núñez', 'Mar 14, 1980', 'AR48', `Page ${index + 1} of 3`]) expect(words).toContain(text);
  });
  for (const { words } of pages.slice(1)) expect(words).toContain('Tests (25) (continued) Code Test Specimen Fasting');
  const order = pages.flatMap(({ words }) => words.match(/T1\d\d Panel 1\d\d/g) ?? []);
  expect(order).toEqual(manyTests.map(({ code, name }) => `${code} ${name}`));
  expect(misplaced(pages)).toEqual([]);
});

it('a page break does not separate a test from its markers', async () => {
  const markers = Array.from({ length: 12 }, (_, index) => ({ code: `M${index}`, name: 'Marker' }));
  const pages = await readPdf(await requisitionPdf({ ...facts, tests: manyTests.map((test) => ({ ...test, markers })) }));
  expect(pages.length).toBeGreaterThan(3);
  for (const { words } of pages) expect(words.match(/T1\d\d Panel/g)?.length).toBe(words.match(/M11 Marker/g)?.length);
});

it('the barcode is the sample id', async () => {
  const file = await requisitionPdf({ ...facts, sampleId: 'A1' });
  const bars = [...file.toString('latin1').matchAll(/^([\d.]+) [\d.]+ ([\d.]+) 36 re$/gm)].map(([, x, width]) => [
    Number(x),
    Number(width),
  ]);
  const [start] = bars[0]!;
  const [, module] = bars.at(-1)!;
  // The stop of the published table is 1100011101011, so the last bar has two modules.
  const unit = module! / 2;
  const pattern = bars.map(([x, width]) => [Math.round((x! - start!) / unit), Math.round(width! / unit)]);
  const drawn = Array.from('0'.repeat(57));
  for (const [from, width] of pattern) drawn.fill('1', from, from! + width!);
  expect(drawn.join('')).toBe('110100100001010001100010011100110100001001101100011101011');
});

it('the same facts give the same bytes, and other facts another file id', async () => {
  const file = await requisitionPdf(facts);
  expect((await requisitionPdf(structuredClone(facts))).equals(file)).toBe(true);
  const idOf = (bytes: Buffer) => /\/ID \[<(\w+)>/.exec(bytes.toString('latin1'))?.[1];
  expect(idOf(file)).toMatch(/^[0-9a-f]{32}$/);
  expect(idOf(await requisitionPdf({ ...facts, orderId: 'order-2' }))).not.toBe(idOf(file));
});

it.each([
  ['≥5 ≤7', '>=5 <=7'],
  ['10⁹/L', '10^9/L'],
  ['ﬁve', 'five'],
  ['A‑B', 'A-B'],
  ['e\u0301', 'é'],
  ['Ångström Żółć Ελένη Юлия Nguyễn', 'Ångström Żółć Ελένη Юлия Nguyễn'],
])('the text %j is on the page as %j', async (text, shown) => {
  const [page] = await readPdf(await requisitionPdf({ ...facts, clinicalNotes: `[${text}]` }));
  expect(page!.words).toContain(`[${shown}]`);
});

it('a character that the font lacks becomes one box', async () => {
  const file = await requisitionPdf({ ...facts, clinicalNotes: 'A😀 محمد 王⅓\u200d\u0000Z' });
  const [page] = await readPdf(file);
  // The font draws glyph 0 as the box, and PDF.js reads it as a character that is not printable.
  const [, read] = /A(.*)Z/.exec(page!.texts.map(({ text }) => text).find((text) => /^A.*Z$/.test(text))!)!;
  expect(read).toMatch(/^. .{4} ..$/);
});

it('no text leaves the page, overlaps another text or is lost, however long it is', async () => {
  const anyTest = fc.record({
    code: longText,
    name: longText,
    sampleType: fc.option(longText),
    isFasting: fc.boolean(),
    markers: fc.array(fc.record({ code: longText, name: longText }), { maxLength: 4 }),
  });
  const anyFacts = fc
    .record({
      tests: fc.array(anyTest, { maxLength: 5 }),
      icdCodes: fc.array(longText, { maxLength: 5 }),
      created: longText,
      billingType: fc.option(longText),
      isPriority: fc.boolean(),
      clinicalNotes: fc.option(longText),
      answers: fc.array(fc.record({ question: longText, answer: longText }), { maxLength: 3 }),
      collectionMethod: longText,
    })
    .chain((facts) => anyShared.map((common): RequisitionFacts => ({ ...common, ...facts })));
  await fc.assert(
    fc.asyncProperty(anyFacts, async (random) => {
      const pages = await readPdf(await requisitionPdf(random));
      expect(misplaced(pages)).toEqual([]);
      const words = new Set(pages.flatMap((page) => page.words.split(' ')));
      const { patient, tests, answers, clinicalNotes } = random;
      const wanted = plainWords([
        patient.firstName,
        patient.lastName,
        ...patient.addressLines,
        clinicalNotes,
        ...tests.flatMap(({ code, name, markers }) => [code, name, ...markers.flatMap((marker) => [marker.code, marker.name])]),
        ...answers.flatMap(({ question, answer }) => [question, answer]),
      ]);
      expect(wanted.filter((each) => !words.has(each))).toEqual([]);
    }),
    { numRuns: 8 },
  );
});
