import type { TextStyle } from './document-text.ts';
import { type Cell, COLORS, type Column, type DrawHead, PAGE, type Page, type Piece, STYLES } from './lab-document.ts';

export interface LaboratoryFacts {
  readonly name: string;
  readonly addressLines: readonly string[];
  readonly accountNumber: string | null;
}

export interface PatientFacts {
  readonly firstName: string;
  readonly lastName: string;
  /** Such as `1980-03-14`. */
  readonly dateOfBirth: string | null;
  readonly sex: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly addressLines: readonly string[];
}

export interface PhysicianFacts {
  readonly name: string;
  readonly npi: string | null;
}

interface HeadFacts {
  readonly title: string;
  readonly sampleId: string;
  readonly laboratory: LaboratoryFacts;
  readonly patient: PatientFacts;
}

interface HeadLine {
  readonly text: string;
  readonly style: TextStyle;
}

/** A label, and a value of one or more lines. A row without a value shows a dash. */
export type LabelledValue = readonly [label: string, value: string | readonly string[] | null];

export interface Panel {
  readonly title: string;
  readonly rows: readonly LabelledValue[];
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const NAME = { size: 15, bold: true, color: COLORS.text };
const TITLE = { size: 10, bold: true, color: COLORS.accent };
const SAMPLE_ID = { size: 8.5, bold: true, color: COLORS.text };
const BARCODE_WIDTH = 200;
const LEFT_WIDTH = PAGE.right - PAGE.left - BARCODE_WIDTH - 24;
const PANEL_GAP = 24;
const PANEL_WIDTH = (PAGE.right - PAGE.left - PANEL_GAP) / 2;
const PANEL_X = [PAGE.left, PAGE.left + PANEL_WIDTH + PANEL_GAP] as const;
const LABEL_WIDTH = 72;

/** Returns `Mar 14, 1980` for a date, `Mar 14, 1980, 09:30 UTC` for a time, and any other text as it is. */
export function dateText(iso: string | null): string | null {
  if (iso === null) return null;
  const date = new Date(iso);
  if (!/^\d{4}-\d{2}-\d{2}/.test(iso) || Number.isNaN(date.getTime())) return iso;
  const day = `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
  return iso.length === 10 ? day : `${day}, ${date.toISOString().slice(11, 16)} UTC`;
}

export const patientPanel = ({ firstName, lastName, ...patient }: PatientFacts): Panel => ({
  title: 'Patient',
  rows: [
    ['Name', `${firstName} ${lastName}`],
    ['Date of birth', dateText(patient.dateOfBirth)],
    ['Sex', patient.sex],
    ['Phone', patient.phone],
    ['Email', patient.email],
    ['Address', patient.addressLines],
  ],
});

export const physicianRows = (physician: PhysicianFacts | null): LabelledValue[] => [
  ['Physician', physician?.name ?? null],
  ['NPI', physician?.npi ?? null],
];

/** Returns a function that draws the laboratory and the barcode on each page, and on later pages also the patient. */
export function headOf(facts: HeadFacts): DrawHead {
  return (page, isFirst) => {
    const { text } = page;
    const lines = [{ text: facts.title, style: TITLE }, ...(isFirst ? firstLines : laterLines)(page, facts)];
    let y = PAGE.top + 8;
    lines.forEach((line, index) => {
      text.draw(text.fit(line.text, line.style, LEFT_WIDTH), { x: PAGE.left, y }, line.style);
      y += ((line.style.size + (lines[index + 1]?.style.size ?? 0)) / 2) * 1.45;
    });
    const end = Math.max(y + 5, drawBarcode(page, facts.sampleId, isFirst ? 36 : 22));
    page.rule(end, { color: COLORS.accent, width: 1.5 });
    return end + (isFirst ? 4 : 0);
  };
}

function firstLines({ text }: Page, { laboratory }: HeadFacts): HeadLine[] {
  const wrapped = (words: string, style: TextStyle): HeadLine[] =>
    atMost(2, text.wrap(words, style, LEFT_WIDTH)).map((line) => ({ text: line, style }));
  return [...wrapped(laboratory.name, NAME), ...wrapped(laboratory.addressLines.join(' · '), STYLES.small)];
}

function laterLines({ text }: Page, { laboratory, patient }: HeadFacts): HeadLine[] {
  const name = text.fit(`${patient.firstName} ${patient.lastName}`, STYLES.body, LEFT_WIDTH - 120);
  const born = dateText(patient.dateOfBirth);
  return [
    { text: laboratory.name, style: { ...NAME, size: 11 } },
    { text: born === null ? name : `${name}, born ${born}`, style: STYLES.body },
  ];
}

/** Draws two panels of labels and values beside each other. */
export function drawPanels(page: Page, [left, right]: readonly [Panel, Panel]): void {
  const titles = [left, right].map(({ title }, index) => ({ text: title, x: PANEL_X[index]!, style: STYLES.section }));
  page.block([titles], { ruled: false });
  const columns = [panelLines(page, left, PANEL_X[0]), panelLines(page, right, PANEL_X[1])] as const;
  const length = Math.max(columns[0].length, columns[1].length);
  page.block(
    Array.from({ length }, (_, index) => [...(columns[0][index] ?? []), ...(columns[1][index] ?? [])]),
    { ruled: false },
  );
}

function panelLines(page: Page, { rows }: Panel, x: number): Piece[][] {
  const label: Column = { x, width: LABEL_WIDTH };
  const value: Column = { x: x + LABEL_WIDTH, width: PANEL_WIDTH - LABEL_WIDTH };
  const valueCell = (text: string): Cell => ({ text, column: value, style: STYLES.body });
  return rows.flatMap(([name, values]) => {
    const texts = [values ?? []].flat().filter((text) => text.trim() !== '');
    const wrapped = (texts.length === 0 ? ['–'] : texts).flatMap((text) => page.lines([valueCell(text)]));
    const labels = page.lines([{ text: name, column: label, style: STYLES.label }]);
    return wrapped.map((pieces, index) => [...(labels[index] ?? []), ...pieces]);
  });
}

/** The widths of bars and spaces of each symbol, in modules, starting with a bar. Index 103–105 start a code; 106 ends it. */
const SYMBOLS: readonly string[] = [
  '212222',
  '222122',
  '222221',
  '121223',
  '121322',
  '131222',
  '122213',
  '122312',
  '132212',
  '221213',
  '221312',
  '231212',
  '112232',
  '122132',
  '122231',
  '113222',
  '123122',
  '123221',
  '223211',
  '221132',
  '221231',
  '213212',
  '223112',
  '312131',
  '311222',
  '321122',
  '321221',
  '312212',
  '322112',
  '322211',
  '212123',
  '212321',
  '232121',
  '111323',
  '131123',
  '131321',
  '112313',
  '132113',
  '132311',
  '211313',
  '231113',
  '231311',
  '112133',
  '112331',
  '132131',
  '113123',
  '113321',
  '133121',
  '313121',
  '211331',
  '231131',
  '213113',
  '213311',
  '213131',
  '311123',
  '311321',
  '331121',
  '312113',
  '312311',
  '332111',
  '314111',
  '221411',
  '431111',
  '111224',
  '111422',
  '121124',
  '121421',
  '141122',
  '141221',
  '112214',
  '112412',
  '122114',
  '122411',
  '142112',
  '142211',
  '241211',
  '221114',
  '413111',
  '241112',
  '134111',
  '111242',
  '121142',
  '121241',
  '114212',
  '124112',
  '124211',
  '411212',
  '421112',
  '421211',
  '212141',
  '214121',
  '412121',
  '111143',
  '111341',
  '131141',
  '114113',
  '114311',
  '411113',
  '411311',
  '113141',
  '114131',
  '311141',
  '411131',
  '211412',
  '211214',
  '211232',
  '2331112',
];
const START_B = 104;
const STOP = 106;

/**
 * Returns the widths of bars and spaces of a Code 128 B barcode, in modules, starting with a bar. Returns undefined if the
 * text is empty or has characters other than printable ASCII, which code set B does not have.
 */
export function code128(text: string): number[] | undefined {
  if (!/^[ -~]+$/.test(text)) return undefined;
  const values = Array.from(text, (character) => character.charCodeAt(0) - 32);
  const check = values.reduce((sum, value, index) => sum + value * (index + 1), START_B) % 103;
  return [START_B, ...values, check, STOP].flatMap((value) => Array.from(SYMBOLS[value]!, Number));
}

/** Draws the sample id as a barcode and as text, at the right margin, and returns the y of the lower end. */
function drawBarcode({ pdf, text }: Page, sampleId: string, height: number): number {
  const widths = code128(sampleId) ?? [];
  const modules = widths.reduce((sum, width) => sum + width, 0);
  const module = Math.min(1.2, BARCODE_WIDTH / modules);
  let x = PAGE.right - modules * module;
  widths.forEach((width, index) => {
    if (index % 2 === 0) pdf.rect(x, PAGE.top, width * module, height);
    x += width * module;
  });
  if (widths.length > 0) pdf.fill('#000000');
  const label = text.fit(sampleId, SAMPLE_ID, BARCODE_WIDTH);
  const y = PAGE.top + height + 11;
  text.draw(label, { x: PAGE.right - text.width(label, SAMPLE_ID), y }, SAMPLE_ID);
  return y + 8;
}

/** Returns the first lines. The last one ends with an ellipsis if lines are left out. */
const atMost = (count: number, lines: readonly string[]): string[] =>
  lines.slice(0, count).map((line, index) => (index === count - 1 && lines.length > count ? `${line}…` : line));
