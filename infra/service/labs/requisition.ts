import {
  dateText,
  drawPanels,
  headOf,
  type LaboratoryFacts,
  type PatientFacts,
  type PhysicianFacts,
  patientPanel,
  physicianRows,
} from './document-head.ts';
import { COLORS, type Column, PAGE, Page, STYLES } from './lab-document.ts';

/** The contents of the requisition form of an order. */
export interface RequisitionFacts {
  readonly orderId: string;
  /** The number of the requisition. It is also on the label of the sample. */
  readonly sampleId: string;
  /** An ISO time. */
  readonly created: string;
  readonly laboratory: LaboratoryFacts;
  readonly patient: PatientFacts;
  readonly physician: PhysicianFacts | null;
  readonly tests: readonly TestFacts[];
  readonly icdCodes: readonly string[];
  /** In words, such as `Client bill`. */
  readonly billingType: string | null;
  readonly isPriority: boolean;
  readonly clinicalNotes: string | null;
  /** In words, such as `Walk-in`. */
  readonly collectionMethod: string;
  /** The answers to the questions that the laboratory asks on order entry. */
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  /** The form is a sample, so its footer forbids use with real patients. */
  readonly isSample: boolean;
}

interface TestFacts {
  readonly code: string;
  readonly name: string;
  /** Such as `Serum`. */
  readonly sampleType: string | null;
  readonly isFasting: boolean;
  readonly markers: readonly { readonly code: string; readonly name: string }[];
}

const CODE: Column = { x: PAGE.left + 6, width: 70, title: 'Code' };
const TEST: Column = { x: CODE.x + 82, width: 236, title: 'Test' };
const SPECIMEN: Column = { x: TEST.x + 248, width: 94, title: 'Specimen' };
const FASTING: Column = { x: SPECIMEN.x + 106, width: 68, title: 'Fasting' };

/** Markers are in two columns below their test, each with its code and its name. */
const MARKER_COLUMNS = [
  { code: { x: TEST.x, width: 46 }, name: { x: TEST.x + 50, width: 186 } },
  { code: { x: SPECIMEN.x, width: 46 }, name: { x: SPECIMEN.x + 50, width: PAGE.right - SPECIMEN.x - 50 } },
];

const QUESTION: Column = { x: PAGE.left + 6, width: 330, title: 'Question' };
const ANSWER: Column = { x: QUESTION.x + 350, width: 154, title: 'Answer' };
const WIDE: Column = { x: PAGE.left, width: PAGE.right - PAGE.left };

/** Draws the form that a patient or a phlebotomist takes to the laboratory. The same facts give the same bytes. */
export function requisitionPdf(facts: RequisitionFacts): Promise<Buffer> {
  const title = 'Laboratory requisition';
  const footer = `${facts.isSample ? 'Reference implementation: not for use with real patients. ' : ''}Order ${facts.orderId}`;
  const page = new Page({ title, subject: `Order ${facts.orderId}`, dated: facts.created, footer }, headOf({ title, ...facts }));
  drawPanels(page, [patientPanel(facts.patient), orderPanel(facts)]);
  drawTests(page, facts.tests);
  drawAnswers(page, facts.answers);
  if (facts.clinicalNotes !== null && facts.clinicalNotes.trim() !== '') {
    page.section({ title: 'Clinical notes' });
    page.block(page.lines([{ text: facts.clinicalNotes, column: WIDE, style: STYLES.body }]), { ruled: false });
  }
  page.section({ title: 'Collection' });
  page.form(90, (y) => drawCollectionForm(page, y));
  return page.end();
}

const orderPanel = (facts: RequisitionFacts) => ({
  title: 'Order',
  rows: [
    ['Ordered', dateText(facts.created)],
    ['Sample ID', facts.sampleId],
    ['Account', facts.laboratory.accountNumber],
    ...physicianRows(facts.physician),
    ['Collection', facts.collectionMethod],
    ['Priority', facts.isPriority ? 'Urgent' : 'Routine'],
    ['Billing', facts.billingType],
    ['ICD-10 codes', facts.icdCodes.join(', ')],
  ] as const,
});

function drawTests(page: Page, tests: readonly TestFacts[]): void {
  page.section({ title: `Tests (${tests.length})`, columns: [CODE, TEST, SPECIMEN, FASTING] });
  for (const { code, name, sampleType, isFasting, markers } of tests) {
    const test = page.lines([
      { text: code, column: CODE, style: STYLES.body },
      { text: name, column: TEST, style: STYLES.strong },
      { text: sampleType ?? '–', column: SPECIMEN, style: STYLES.body },
      { text: isFasting ? 'Required' : 'No', column: FASTING, style: isFasting ? STYLES.strong : STYLES.body },
    ]);
    const rows = Array.from({ length: Math.ceil(markers.length / 2) }, (_, row) => markers.slice(2 * row, 2 * row + 2));
    const lines = rows.flatMap((row) =>
      page.lines(
        row.flatMap((marker, index) => [
          { text: marker.code, column: MARKER_COLUMNS[index]!.code, style: STYLES.small },
          { text: marker.name, column: MARKER_COLUMNS[index]!.name, style: STYLES.small },
        ]),
      ),
    );
    page.block([...test, ...lines]);
  }
}

function drawAnswers(page: Page, answers: RequisitionFacts['answers']): void {
  page.section({ title: 'Questions of the laboratory', columns: [QUESTION, ANSWER] });
  for (const { question, answer } of answers)
    page.block(
      page.lines([
        { text: question, column: QUESTION, style: STYLES.body },
        { text: answer, column: ANSWER, style: STYLES.strong },
      ]),
    );
}

/** Draws what the collector and the patient fill in by hand. */
function drawCollectionForm(page: Page, y: number): void {
  const { pdf, text } = page;
  const label = (name: string, x: number, baseline: number): number => {
    text.draw(name, { x, y: baseline }, STYLES.label);
    return x + text.width(name, STYLES.label) + 6;
  };
  const blank = (name: string, [from, to]: readonly [number, number], baseline: number): void =>
    page.rule(baseline + 2, { from: label(name, from, baseline), to, color: COLORS.quiet });
  const box = (name: string, x: number, baseline: number): void => {
    pdf
      .rect(x, baseline - 7.5, 9, 9)
      .lineWidth(0.8)
      .strokeColor(COLORS.quiet)
      .stroke();
    label(name, x + 14, baseline);
  };

  const { left, right } = PAGE;
  blank('Collected on', [left, left + 176], y + 16);
  blank('at', [left + 188, left + 262], y + 16);
  const boxes = label('Patient was fasting', left + 286, y + 16);
  box('Yes', boxes + 8, y + 16);
  box('No', boxes + 52, y + 16);
  blank('Collected by', [left, left + 262], y + 38);
  blank('Collector’s signature', [left + 286, right], y + 38);
  text.draw(
    'I confirm that my details on this form are correct, and that the laboratory may test my sample.',
    { x: left, y: y + 62 },
    STYLES.small,
  );
  blank('Patient’s signature', [left, left + 372], y + 86);
  blank('Date', [left + 388, right], y + 86);
}
