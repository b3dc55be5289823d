import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { DocumentText, type TextStyle } from './document-text.ts';

/** In points. Letter is the paper size of laboratories in the United States. */
export const PAGE = { width: 612, height: 792, left: 48, right: 564, top: 40, bottom: 740 } as const;

export const COLORS = {
  text: '#1b232c',
  quiet: '#586572',
  accent: '#173f63',
  rule: '#d3d9df',
  shade: '#f0f3f6',
  alarm: '#a3161f',
  warning: '#7a5200',
} as const;

export const STYLES = {
  body: { size: 9, color: COLORS.text },
  strong: { size: 9, bold: true, color: COLORS.text },
  small: { size: 8, color: COLORS.quiet },
  label: { size: 8, color: COLORS.quiet },
  section: { size: 10, bold: true, color: COLORS.accent },
} as const satisfies Record<string, TextStyle>;

/** A text on one line. `x` is its distance from the left edge of the page. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  readonly style: TextStyle;
  /** The colour of a box behind the text. */
  readonly box?: string;
}

/** A text that is wrapped to a column. */
export interface Cell {
  readonly text: string;
  readonly column: Column;
  readonly style: TextStyle;
  readonly box?: string;
}

export interface Column {
  readonly x: number;
  readonly width: number;
  /** The heading of the column in a table. */
  readonly title?: string;
}

/** A section has a title, and a table also has a row of column titles. Both are repeated on each page of the section. */
export interface Section {
  readonly title: string;
  readonly columns?: readonly Column[];
}

export interface DocumentFacts {
  readonly title: string;
  readonly subject: string;
  /** An ISO time. The file's dates, and so its bytes, depend on it. */
  readonly dated: string;
  readonly footer: string;
}

export interface RuleOptions {
  readonly from?: number;
  readonly to?: number;
  readonly color?: string;
  readonly width?: number;
}

/** Draws the head of a page, and returns the y of its lower end. */
export type DrawHead = (page: Page, isFirst: boolean) => number;

const LINE = 12;
const PADDING = 4;
const TITLE_HEIGHT = 28;
const COLUMN_TITLES_HEIGHT = 16;
/** A taller block may be split, because moving it to the next page would leave much white space. */
const TALLEST_WHOLE_BLOCK = 16 * LINE;
const FEWEST_LINES_BEFORE_SPLIT = 4;

/** Fills pages from top to bottom, and starts a new page when one is full. */
export class Page {
  readonly pdf: PDFKit.PDFDocument;
  readonly text: DocumentText;
  readonly #facts: DocumentFacts;
  readonly #drawHead: DrawHead;
  #y = 0;
  #section: Section | undefined;
  #sectionIsOpen = false;

  constructor(facts: DocumentFacts, drawHead: DrawHead) {
    const dated = new Date(facts.dated);
    const date = Number.isNaN(dated.getTime()) ? new Date(0) : dated;
    // Compressed bytes differ between versions of zlib.
    this.pdf = new PDFDocument({
      size: [PAGE.width, PAGE.height],
      margin: 0,
      autoFirstPage: false,
      bufferPages: true,
      compress: false,
      lang: 'en-US',
      displayTitle: true,
      info: { Title: facts.title, Subject: facts.subject, CreationDate: date, ModDate: date },
    });
    this.text = new DocumentText(this.pdf);
    this.#facts = facts;
    this.#drawHead = drawHead;
    this.#addPage(true);
  }

  /** Starts a section. Its title is drawn with its first block, so that no title stands alone at the end of a page. */
  section(section: Section): void {
    this.#section = section;
    this.#sectionIsOpen = false;
  }

  /** Wraps cells beside each other. */
  lines(cells: readonly Cell[]): Piece[][] {
    const lines: Piece[][] = [];
    for (const { text, column, style, box } of cells)
      this.text.wrap(text, style, column.width).forEach((line, index) => {
        lines[index] ??= [];
        lines[index].push({ text: line, x: column.x, style, ...(box !== undefined && { box }) });
      });
    return lines;
  }

  /** Draws lines below each other, on one page if they are few. */
  block(lines: readonly (readonly Piece[])[], { ruled = true } = {}): void {
    const height = lines.length * LINE + 2 * PADDING;
    const first = height <= TALLEST_WHOLE_BLOCK ? height : FEWEST_LINES_BEFORE_SPLIT * LINE + PADDING;
    this.#reserve(first);
    this.#y += PADDING;
    for (const line of lines) {
      this.#reserve(LINE);
      this.#drawLine(line);
      this.#y += LINE;
    }
    this.#y += PADDING;
    if (ruled) this.rule(this.#y);
  }

  /** Draws a form of a fixed height. `draw` receives the y of its upper end. */
  form(height: number, draw: (y: number) => void): void {
    this.#reserve(height);
    draw(this.#y);
    this.#y += height;
  }

  rule(y: number, { from, to, color, width }: RuleOptions = {}): void {
    this.pdf.moveTo(from ?? PAGE.left, y).lineTo(to ?? PAGE.right, y);
    this.pdf
      .lineWidth(width ?? 0.6)
      .strokeColor(color ?? COLORS.rule)
      .stroke();
  }

  /** Numbers the pages, and returns the file. */
  async end(): Promise<Buffer> {
    const { start, count } = this.pdf.bufferedPageRange();
    for (let index = 0; index < count; index++) {
      this.pdf.switchToPage(start + index);
      this.#drawFooter(`Page ${index + 1} of ${count}`);
    }
    this.pdf.end();
    return await buffer(this.pdf);
  }

  #addPage(isFirst: boolean): void {
    this.pdf.addPage();
    this.#y = this.#drawHead(this, isFirst);
  }

  #reserve(height: number): void {
    const titles = this.#section === undefined || this.#sectionIsOpen ? 0 : this.#titlesHeight(this.#section);
    if (this.#y + titles + height > PAGE.bottom) {
      this.#addPage(false);
      this.#drawTitles(this.#sectionIsOpen ? ' (continued)' : '');
    } else if (titles > 0) this.#drawTitles('');
  }

  #titlesHeight({ columns }: Section): number {
    return TITLE_HEIGHT + (columns ? COLUMN_TITLES_HEIGHT : 0);
  }

  #drawTitles(suffix: string): void {
    if (this.#section === undefined) return;
    this.#sectionIsOpen = true;
    const { title, columns } = this.#section;
    this.text.draw(`${title}${suffix}`, { x: PAGE.left, y: this.#y + TITLE_HEIGHT - 9 }, STYLES.section);
    this.#y += TITLE_HEIGHT;
    this.rule(this.#y - 3, { color: COLORS.accent, width: 0.9 });
    if (!columns) return;
    this.pdf.rect(PAGE.left, this.#y - 2.5, PAGE.right - PAGE.left, COLUMN_TITLES_HEIGHT).fill(COLORS.shade);
    for (const { x, title = '' } of columns) this.text.draw(title, { x, y: this.#y + 8.5 }, { ...STYLES.label, bold: true });
    this.#y += COLUMN_TITLES_HEIGHT;
  }

  #drawLine(pieces: readonly Piece[]): void {
    const y = this.#y + 9;
    for (const { text, x, style, box } of pieces) {
      if (box !== undefined)
        this.pdf.roundedRect(x - 3, y - style.size - 0.5, this.text.width(text, style) + 6, style.size + 3.5, 2).fill(box);
      this.text.draw(text, { x, y }, style);
    }
  }

  #drawFooter(number: string): void {
    const y = PAGE.height - 34;
    this.rule(y - 12);
    const x = PAGE.right - this.text.width(number, STYLES.small);
    this.text.draw(number, { x, y }, STYLES.small);
    this.text.draw(this.text.fit(this.#facts.footer, STYLES.small, x - PAGE.left - 16), { x: PAGE.left, y }, STYLES.small);
  }
}
