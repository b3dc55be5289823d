import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** Stands for a character that the font lacks. The font draws its box for unknown characters. */
const BOX = '□';

/** Characters of units and ranges that the font lacks. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  '≤': '<=',
  '≥': '>=',
  ...Object.fromEntries(Array.from('⁰⁴⁵⁶⁷⁸⁹', (power) => [power, `^${power.normalize('NFKD')}`])),
};

export interface TextStyle {
  /** In points. */
  readonly size: number;
  readonly bold?: boolean;
  readonly color: string;
}

/** A stretch of text that one part of the font can draw. */
interface Run {
  readonly part: string;
  text: string;
}

/** The part of pdfkit's current font that tells which characters it has. The types of pdfkit omit it. */
interface CurrentFont {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } };
}

/** The font is split by alphabet, and a character may be in several parts. */
const FONT_PARTS = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese', 'devanagari'];

const FOLDER = join(dirname(createRequire(import.meta.url).resolve('@fontsource/noto-sans/package.json')), 'files');

const HEADER = { woff: 44, font: 12 };
const ENTRY = { woff: 20, font: 16 };

const loaded = new Map<string, Buffer>();

/** Returns a part of the font as an OpenType file. Reads each file once. */
function fontFile(part: string, isBold: boolean): Buffer {
  const name = `noto-sans-${part}-${isBold ? 600 : 400}-normal.woff`;
  const file = loaded.get(name) ?? unpacked(readFileSync(join(FOLDER, name)));
  loaded.set(name, file);
  return file;
}

/** Unpacks a WOFF 1.0 file. pdfkit reads WOFF too, but decompresses a table each time it reads a glyph. */
function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const entries = Array.from({ length: count }, (_, index) => {
    const at = HEADER.woff + index * ENTRY.woff;
    const [from, packedLength, length] = [woff.readUInt32BE(at + 4), woff.readUInt32BE(at + 8), woff.readUInt32BE(at + 12)];
    const packed = woff.subarray(from, from + packedLength);
    return {
      tag: woff.subarray(at, at + 4),
      checksum: woff.readUInt32BE(at + 16),
      table: packedLength < length ? inflateSync(packed) : packed,
    };
  });
  const header = Buffer.alloc(HEADER.font + count * ENTRY.font);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  // The three other fields of the header help a binary search, and readers work without them.
  let offset = header.length;
  const tables = entries.map(({ tag, checksum, table }, index) => {
    const at = HEADER.font + index * ENTRY.font;
    tag.copy(header, at);
    header.writeUInt32BE(checksum, at + 4);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(table.length, at + 12);
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    offset += padded.length;
    return padded;
  });
  return Buffer.concat([header, ...tables]);
}

/** Measures, wraps and draws text of any alphabet on one document. */
export class DocumentText {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #opened = new Set<string>();
  // Every document starts without knowledge, because the order in which fonts are opened determines their ids in the file.
  readonly #known = new Map<string, boolean>();

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf;
  }

  width(text: string, style: TextStyle): number {
    return this.#measure(this.#printable(text), style);
  }

  /** Draws one line from `x` on the baseline `y`. */
  draw(text: string, at: { readonly x: number; readonly y: number }, style: TextStyle): void {
    let { x } = at;
    for (const run of this.#runs(this.#printable(text))) {
      const pdf = this.#select(run, style);
      pdf.fillColor(style.color).text(run.text, x, at.y, { lineBreak: false, baseline: 'alphabetic' });
      x += pdf.widthOfString(run.text);
    }
  }

  /** Breaks a text at spaces and hyphens into lines of at most `width` points. Breaks a longer word anywhere. */
  wrap(text: string, style: TextStyle, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of this.#printable(text).split(/(?<=[ -])/)) {
      if (this.#measure((line + word).trimEnd(), style) <= width) {
        line += word;
        continue;
      }
      const pieces = this.#pieces(word, style, width);
      lines.push(...[line, ...pieces.slice(0, -1)].map((full) => full.trimEnd()).filter((full) => full !== ''));
      line = pieces.at(-1) ?? '';
    }
    return line.trimEnd() === '' ? lines : [...lines, line.trimEnd()];
  }

  /** Returns the text on one line; shortened, with an ellipsis, if it is longer than `width` points. */
  fit(text: string, style: TextStyle, width: number): string {
    if (this.width(text, style) <= width) return text;
    const [first = ''] = this.#pieces(this.#printable(text), style, width - this.width('…', style));
    return `${first.trimEnd()}…`;
  }

  #measure(printable: string, style: TextStyle): number {
    return this.#runs(printable).reduce((sum, run) => sum + this.#select(run, style).widthOfString(run.text), 0);
  }

  #pieces(word: string, style: TextStyle, width: number): string[] {
    const pieces: string[] = [];
    let piece = '';
    // Accents stay with their letter.
    for (const letter of word.match(/.\p{M}*/gsu) ?? []) {
      if (piece !== '' && this.#measure(piece + letter, style) > width) {
        pieces.push(piece);
        piece = '';
      }
      piece += letter;
    }
    return piece === '' ? pieces : [...pieces, piece];
  }

  /** Returns the text without control characters, and with plainer characters or boxes for those that the font lacks. */
  #printable(text: string): string {
    const plain = text
      .normalize('NFC')
      .replace(/\s+/g, ' ')
      .replace(/[\p{C}\p{Variation_Selector}]/gu, '');
    return Array.from(plain.trim(), (character) => this.#substitute(character)).join('');
  }

  /** Returns the character if the font has it, else what a reader takes for the same. `10⁹` must not become `109`. */
  #substitute(character: string): string {
    if (character === BOX || this.#part(character) !== undefined) return character;
    const plain = SUBSTITUTES[character];
    if (plain !== undefined) return plain;
    if (/\p{Pd}/u.test(character)) return '-';
    if (/\p{M}/u.test(character)) return '';
    if (!/[\p{L}\p{Nd}]/u.test(character)) return BOX;
    const letters = Array.from(character.normalize('NFKD')).filter((letter) => this.#part(letter) !== undefined);
    return letters.length > 0 ? letters.join('') : BOX;
  }

  #runs(text: string): Run[] {
    const runs: Run[] = [];
    for (const character of text) {
      const last = runs.at(-1);
      const part = last && this.#has(last.part, character) ? last.part : (this.#part(character) ?? 'latin');
      if (last?.part === part) last.text += character;
      else runs.push({ part, text: character });
    }
    return runs;
  }

  #part(character: string): string | undefined {
    return FONT_PARTS.find((part) => this.#has(part, character));
  }

  #has(part: string, character: string): boolean {
    const key = `${part} ${character}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      this.#open(part, false);
      known = (this.#pdf as unknown as CurrentFont)._font.font.hasGlyphForCodePoint(character.codePointAt(0)!);
      this.#known.set(key, known);
    }
    return known;
  }

  #select({ part }: Run, { bold = false, size }: TextStyle): PDFKit.PDFDocument {
    return this.#open(part, bold).fontSize(size);
  }

  #open(part: string, isBold: boolean): PDFKit.PDFDocument {
    const name = `${part}-${isBold}`;
    if (!this.#opened.has(name)) this.#pdf.registerFont(name, fontFile(part, isBold));
    this.#opened.add(name);
    return this.#pdf.font(name);
  }
}
