import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FilesCheckpoints } from './checkpoints.ts';
import { foreignFormatOf } from './foreign.ts';
import { FilesSource, type FilesSourceOptions } from './source.ts';

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'foreign-'));
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(root, 'files-'));
});

const event = '{"event_type":"a"}\n';
const base64 = (text: string) => Buffer.from(text, 'base64');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

// What these programs write for the event above: xz 5.4, bzip2 1.0, lz4 1.9, and zipfile of Python 3.11.
const xz = base64('/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQASeyJldmVudF90eXBlIjoiYSJ9CgAAamNw4efNFqUAASsTnAlI0h+2830BAAAAAARZWg==');
const lzma = base64('XQAAgAD//////////wA9iIino5SvjfD5eog2B7CvjUcL6pTObDP//tL4AA==');
const bzip2 = base64('QlpoOTFBWSZTWdGN3uYAAAjbgAAQEAAAEAAAogFFKiAAIoGymPVCAaABdGq1V7YHGL4u5IpwoSGjG73M');
const lz4 = base64('BCJNGGRApxMAAIB7ImV2ZW50X3R5cGUiOiJhIn0KAAAAAFSEnTY=');
const zip = base64(
  'UEsDBBQAAAAAAGEWfV1pzZjxEwAAABMAAAABAAAAZXsiZXZlbnRfdHlwZSI6ImEifQpQSwECFAMUAAAAAABhFn1dac2Y8RMAAAATAAAAAQAAAAAAAAAAAAAAgAEAAAAAZVBLBQYAAAAAAQABAC8AAAAyAAAAAAA=',
);

/** A tar archive with one file. `ustar` is the magic of POSIX; the format of 1979 has none. */
function tar(name: string, ustar: boolean): Buffer {
  const header = Buffer.alloc(512);
  const size = event.length.toString(8).padStart(11, '0');
  const fields = [
    name.padEnd(100, '\0'),
    '0000644\0',
    '0000000\0',
    '0000000\0',
    `${size}\0`,
    '00000000000\0',
    ' '.repeat(8),
    '0',
  ];
  header.write(fields.join(''));
  if (ustar) header.write(['ustar', '00'].join('\0'), 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.from(event.padEnd(512, '\0')), Buffer.alloc(1024)]);
}

const page = '<!doctype html>\n<html>\n<p>This link has expired.</p>\n{"@context":"https://schema.org"}\n</html>\n';
const utf16 = Buffer.from(event, 'utf16le');
const utf32 = Buffer.from(Array.from(event, (sign) => [sign.charCodeAt(0), 0, 0, 0]).flat());

interface Read {
  readonly bodies: readonly string[];
  readonly errors: readonly (readonly [code: string, message: string, remedy: string])[];
}

async function read(options: Partial<FilesSourceOptions> = {}): Promise<Read> {
  const source = new FilesSource({ paths: [folder], now: () => Date.UTC(2026, 5), ...options });
  const bodies: string[] = [];
  for await (const { deliveries, position } of source.batches(new AbortController().signal)) {
    bodies.push(...deliveries.map(({ body }) => body.toString()));
    await source.commit([position]);
  }
  return { bodies, errors: source.errors.map(({ code, message, remedy }) => [code, message, remedy]) };
}

async function put(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  await utimes(path, new Date('2026-05-06T07:08:09.500Z'), new Date('2026-05-06T07:08:09.500Z'));
  return path;
}

describe('a file in a format that Aorta recognizes, but does not read', () => {
  const pipe = (command: string) => new RegExp(`^Run \`${command} \\| aorta load - --received-at 2026-05-06T07:08:09.500Z\`\\.`);
  const exported = /^Export the events as JSON\./;
  test.each<[name: string, content: string | Buffer, format: string, remedy: RegExp]>([
    ['xz', xz, 'xz data', pipe('xz -dc FILE')],
    ['LZMA', lzma, 'LZMA data', pipe('xz -dc FILE')],
    ['bzip2', bzip2, 'bzip2 data', pipe('bzip2 -dc FILE')],
    ['empty bzip2', base64('QlpoORdyRThQkAAAAAA='), 'bzip2 data', pipe('bzip2 -dc FILE')],
    ['lz4', lz4, 'lz4 data', pipe('lz4 -dc FILE')],
    ['zip', zip, 'a ZIP archive', pipe('unzip -p FILE')],
    ['7z', latin1("7z\xbc\xaf'\x1c\0\x04"), 'a 7z archive', pipe('7z x -so FILE')],
    ['RAR', latin1('Rar!\x1a\x07\x01\0'), 'a RAR archive', pipe('unrar p -inul FILE')],
    ['tar', tar('day.ndjson', true), 'a tar archive', pipe('tar -xOf FILE')],
    ['an old tar with a name like JSON', tar('{"a":1}', false), 'a tar archive', pipe('tar -xOf FILE')],
    ['tar in gzip', gzipSync(tar('a', true)), 'a tar archive, compressed with gzip', pipe('tar -xOf FILE')],
    ['tar in zstd', zstdCompressSync(tar('a', true)), 'a tar archive, compressed with zstd', pipe('tar -xOf FILE')],
    ['gzip in gzip', gzipSync(gzipSync(event)), 'gzip data, compressed with gzip', pipe('gzip -dc FILE \\| gzip -dc')],
    ['xz in zstd', zstdCompressSync(xz), 'xz data, compressed with zstd', pipe('zstd -dc FILE \\| xz -dc')],
    ['zip in gzip', gzipSync(zip), 'a ZIP archive, compressed with gzip', /^Unpack it, and load the files\./],
    ['UTF-16, little-endian', utf16, 'UTF-16 text', pipe('iconv -f UTF-16LE -t UTF-8 FILE')],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${event}`, 'utf16le'), 'UTF-16 text', pipe('iconv -f UTF-16LE -t UTF-8 FILE')],
    ['UTF-16, big-endian', Buffer.from(utf16).swap16(), 'UTF-16 text', pipe('iconv -f UTF-16BE -t UTF-8 FILE')],
    ['UTF-32, little-endian', utf32, 'UTF-32 text', pipe('iconv -f UTF-32LE -t UTF-8 FILE')],
    ['UTF-32, big-endian', Buffer.from(utf32).swap32(), 'UTF-32 text', pipe('iconv -f UTF-32BE -t UTF-8 FILE')],
    ['Parquet', 'PAR1\x15\x04\x15', 'a Parquet file', exported],
    ['Avro', latin1('Obj\x01\x04\x14'), 'an Avro file', exported],
    ['SQLite', 'SQLite format 3\0\x10\0', 'an SQLite database', exported],
    ['PDF', '%PDF-1.7\n{}\n', 'a PDF document', exported],
    ['an image', latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'binary data of an unknown format', exported],
    ['zero bytes', Buffer.alloc(5000), 'binary data of an unknown format', exported],
    ['CSV', 'id,steps\r\na-1,8123\r\n', 'text without JSON objects', exported],
    ['text', 'oops', 'text without JSON objects', exported],
    ['Markdown', '# A\n\n[![ci](a.svg)](b)\n[c](d), [e]: f\n[g]: h\n', 'text without JSON objects', exported],
    ['values that are no objects', '17\n"a"\nnull\n', 'text without JSON objects', exported],
    ['a web page', page, 'a web page or an XML document', /Download the file again\./],
    ['a web page, gzipped', gzipSync(page), 'a web page or an XML document, compressed with gzip', /Download the file again\./],
    ['an XML error', '\ufeff <?xml version="1.0"?><Error/>', 'a web page or an XML document', /Download the file again\./],
  ])('is refused with the remedy, and the files next to it are read: %s', async (_, content, format, remedy) => {
    await put('a', event);
    const path = await put('b', content);
    await put('c', event);
    const { bodies, errors } = await read();
    expect(bodies).toEqual([event.trim(), event.trim()]);
    expect(errors).toEqual([['AORTA-FILE-FORMAT', `${path} is ${format}, which Aorta does not read.`, expect.anything()]]);
    expect(errors[0]![2].replaceAll(path, 'FILE')).toMatch(remedy);
  });

  test('is refused with a command that contains the quoted path and the stated time of receipt', async () => {
    await mkdir(join(folder, 'a b'));
    const path = await put(join('a b', "it's"), xz);
    const { errors } = await read({ receivedAt: Date.UTC(2026, 0, 2) * 1000 });
    const quoted = `'${path.replace("'", "'\\''")}'`;
    expect(errors[0]![2]).toContain(`Run \`xz -dc ${quoted} | aorta load - --received-at 2026-01-02T00:00:00.000Z\`.`);
  });

  test('is refused on standard input', async () => {
    const { errors } = await read({ paths: ['-'], stdin: Readable.from([xz]) });
    expect(errors[0]!.slice(1)).toEqual([
      'standard input is xz data, which Aorta does not read.',
      expect.stringContaining('Run `xz -dc FILE | aorta load -`.'),
    ]);
  });

  test('is refused by each scan, and read when it is replaced', async () => {
    const open = async () => ({ checkpoints: await FilesCheckpoints.open(join(folder, '.state.json')) });
    await put('a', 'id,steps\n');
    for (let scan = 0; scan < 2; scan += 1) expect((await read(await open())).errors[0]?.[0]).toBe('AORTA-FILE-FORMAT');
    await put('a', event);
    expect(await read(await open())).toEqual({ bodies: [event.trim()], errors: [] });
    expect(await read(await open())).toEqual({ bodies: [], errors: [] });
  });
});

describe('a file with events is not taken for another format', () => {
  test.each([
    ['after a page that a program wrote first', page, [...page.trim().split('\n'), event.trim()]],
    ['after a line of a CSV file', 'id,steps\n', ['id,steps', event.trim()]],
    ['after binary lines', '\0\x01\n', ['\0\x01', event.trim()]],
    ['that mentions tar', `${' '.repeat(255)}ustar\n`, [`${' '.repeat(255)}ustar`, event.trim()]],
  ])('%s', async (_, before, bodies) => {
    await put('a', before + event);
    expect(await read()).toEqual({ bodies, errors: [] });
  });

  test.each([
    ['a broken event alone in its file', '{"event_type":\n', ['{"event_type":']],
    ['Python’s notation', "{'event_type': 'a'}\n", ["{'event_type': 'a'}"]],
  ])('but becomes dead letters: %s', async (_, content, bodies) => {
    await put('a', content);
    expect(await read()).toEqual({ bodies, errors: [] });
  });

  test('no JSON text has the first bytes of another format', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.constantFrom('', ' ', '\n', '\ufeff'),
        fc.nat(3),
        (value, before, indent) => {
          const text = Buffer.from(before + JSON.stringify(value, null, indent));
          expect(foreignFormatOf(Buffer.concat([text, text, Buffer.alloc(512, ' ')]).subarray(0, 512))).toBeUndefined();
        },
      ),
    );
  });
});
