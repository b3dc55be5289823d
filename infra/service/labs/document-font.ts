import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';

/** The font is split by alphabet, and a character may be in several parts. */
export const FONT_PARTS = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese', 'devanagari'];

const FOLDER = join(dirname(createRequire(import.meta.url).resolve('@fontsource/noto-sans/package.json')), 'files');

const HEADER = { woff: 44, font: 12 };
const ENTRY = { woff: 20, font: 16 };

const loaded = new Map<string, Buffer>();

/** Returns a part of the font as an OpenType file. Reads each file once. */
export function fontFile(part: string, isBold: boolean): Buffer {
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
