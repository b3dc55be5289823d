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

export type ResultFlag = 'high' | 'low' | 'abnormal' | 'critical' | 'critical_high' | 'critical_low';

/** The contents of a report. All times are ISO times. */
export interface ReportFacts {
  readonly orderId: string;
  readonly sampleId: string;
  readonly status: 'final' | 'partial';
  readonly laboratory: LaboratoryFacts;
  readonly patient: PatientFacts;
  readonly physician: PhysicianFacts | null;
  /** Such as `Serum`. */
  readonly sampleType: string | null;
  readonly collected: string | null;
  readonly received: string | null;
  readonly reported: string;
  readonly results: readonly ResultFacts[];
  readonly missingResults: readonly { readonly name: string; readonly reason: string }[];
  readonly notes: readonly string[];
  /** The report is a sample, so its footer forbids use with real patients. */
  readonly isSample: boolean;
}

interface ResultFacts {
  readonly name: string;
  /** Such as `142`, `<0.5` or `Not detected`. */
  readonly result: string;
  readonly unit: string | null;
  /** Such as `70–99` or `<100`. */
  readonly referenceRange: string | null;
  /** Null for a normal result. */
  readonly flag: ResultFlag | null;
  readonly note: string | null;
}

const NAME: Column = { x: PAGE.left + 6, width: 172, title: 'Test' };
const RESULT: Column = { x: NAME.x + 184, width: 74, title: 'Result' };
const UNIT: Column = { x: RESULT.x + 84, width: 66, title: 'Unit' };
const RANGE: Column = { x: UNIT.x + 76, width: 78, title: 'Reference range' };
const FLAG: Column = { x: RANGE.x + 90, width: 70, title: 'Flag' };
/** A result without a unit and a range may be a sentence, so it uses their columns, too. */
const WIDE_RESULT: Column = { x: RESULT.x, width: FLAG.x - RESULT.x - 12 };
const NOTE: Column = { x: NAME.x + 10, width: FLAG.x - NAME.x - 22 };

const MISSING: Column = { x: NAME.x, width: 172, title: 'Test' };
const REASON: Column = { x: RESULT.x, width: PAGE.right - RESULT.x - 6, title: 'Reason' };
const WIDE: Column = { x: PAGE.left, width: PAGE.right - PAGE.left };

const outside = { ...STYLES.strong, color: COLORS.alarm };
const critical = { style: { ...STYLES.strong, size: 8, color: '#ffffff' }, box: COLORS.alarm };
/** In words, because colours are lost on a grey print. */
const FLAGS = {
  high: { text: 'High', style: outside },
  low: { text: 'Low', style: outside },
  abnormal: { text: 'Abnormal', style: { ...STYLES.strong, color: COLORS.warning } },
  critical: { text: 'Critical', ...critical },
  critical_high: { text: 'Critical high', ...critical },
  critical_low: { text: 'Critical low', ...critical },
} as const satisfies Record<ResultFlag, unknown>;

/** Draws the report of a laboratory. The same facts give the same bytes. */
export function resultReportPdf(facts: ReportFacts): Promise<Buffer> {
  const title = facts.status === 'final' ? 'Laboratory report' : 'Laboratory report (partial)';
  const footer = `${facts.isSample ? 'Reference implementation: not for use with real patients. ' : ''}Order ${facts.orderId}`;
  const page = new Page({ title, subject: `Order ${facts.orderId}`, dated: facts.reported, footer }, headOf({ title, ...facts }));
  drawPanels(page, [patientPanel(facts.patient), specimenPanel(facts)]);
  drawResults(page, facts.results);
  if (facts.missingResults.length > 0) page.section({ title: 'Results not available', columns: [MISSING, REASON] });
  for (const { name, reason } of facts.missingResults)
    page.block(
      page.lines([
        { text: name, column: MISSING, style: STYLES.strong },
        { text: reason, column: REASON, style: STYLES.body },
      ]),
    );
  if (facts.notes.length > 0) page.section({ title: 'Notes' });
  for (const text of facts.notes) page.block(page.lines([{ text, column: WIDE, style: STYLES.body }]), { ruled: false });
  return page.end();
}

const specimenPanel = (facts: ReportFacts) => ({
  title: 'Specimen',
  rows: [
    ['Status', facts.status === 'final' ? 'Final' : 'Partial: more results will follow'],
    ['Sample ID', facts.sampleId],
    ['Sample type', facts.sampleType],
    ['Collected', dateText(facts.collected)],
    ['Received', dateText(facts.received)],
    ['Reported', dateText(facts.reported)],
    ['Account', facts.laboratory.accountNumber],
    ...physicianRows(facts.physician),
  ] as const,
});

function drawResults(page: Page, results: readonly ResultFacts[]): void {
  page.section({ title: `Results (${results.length})`, columns: [NAME, RESULT, UNIT, RANGE, FLAG] });
  if (results.length === 0) page.block(page.lines([{ text: 'No results yet.', column: NAME, style: STYLES.body }]));
  for (const { name, result, unit, referenceRange, flag, note } of results) {
    const isWide = unit === null && referenceRange === null;
    const row = page.lines([
      { text: name, column: NAME, style: STYLES.body },
      { text: result, column: isWide ? WIDE_RESULT : RESULT, style: flag === null ? STYLES.body : STYLES.strong },
      { text: unit ?? '', column: UNIT, style: STYLES.body },
      { text: referenceRange ?? '', column: RANGE, style: STYLES.body },
      ...(flag === null ? [] : [{ column: FLAG, ...FLAGS[flag] }]),
    ]);
    page.block([...row, ...page.lines([{ text: note ?? '', column: NOTE, style: STYLES.small }])]);
  }
}
