import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Compression, compressionOf, DamagedCompression, decompress } from './decompress.ts';

const withChecksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const frame = (text: string) => zstdCompressSync(text, withChecksum);
/** A frame that decoders skip, such as those with which `pzstd` notes the size of the next frame. */
const skipped = Buffer.concat([Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]), Buffer.from('size')]);
const lines = Array.from({ length: 8000 }, (_, n) => `{"n":${n},"x":"${(n * 2_654_435_761) % 4_294_967_296}"}\n`).join('');

interface Decompressed {
  readonly text: string;
  readonly largest: number;
  readonly damage: DamagedCompression | undefined;
}

/** Decompresses bytes that arrive in chunks of `sizes`, repeated. */
async function all(bytes: Buffer, sizes: readonly number[] = [65_536], compression: Compression = 'zstd'): Promise<Decompressed> {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
      const size = sizes[turn % sizes.length]!;
      yield bytes.subarray(at, at + size);
      at += size;
    }
  }
  let text = '';
  let largest = 0;
  try {
    for await (const chunk of decompress(compression, chunks)) {
      if (text.length < 1e7) text += chunk.toString();
      largest = Math.max(largest, chunk.length);
    }
  } catch (error) {
    if (error instanceof DamagedCompression) return { text, largest, damage: error };
    throw error;
  }
  return { text, largest, damage: undefined };
}

test.each([
  ['zstd', frame('a'), 'zstd'],
  ['a skippable frame of zstd', skipped, 'zstd'],
  ['gzip', gzipSync('a'), 'gzip'],
  ['JSON', Buffer.from('{"a":1}'), undefined],
  ['three bytes of zstd', frame('a').subarray(0, 3), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('compressionOf recognizes %s by its first bytes', (_, bytes, expected) => {
  expect(compressionOf(bytes)).toBe(expected);
});

describe('zstd', () => {
  test('all frames are read, regardless of how the bytes arrive', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string().map((text) => ({ text, bytes: frame(text) })),
            fc.constant({ text: '', bytes: skipped }),
          ),
          {
            minLength: 1,
            maxLength: 6,
          },
        ),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        async (frames, sizes) => {
          const read = await all(Buffer.concat(frames.map(({ bytes }) => bytes)), sizes);
          expect(read).toMatchObject({ text: frames.map(({ text }) => text).join(''), damage: undefined });
        },
      ),
      { numRuns: 30 },
    ));

  test('data that is cut off anywhere but between two frames is damaged, and the text before the cut is read', async () => {
    const [first, second] = [frame('first\n'), frame('second\n')];
    const both = Buffer.concat([first, second]);
    for (let end = 1; end < both.length; end += 1) {
      const { text, damage } = await all(both.subarray(0, end));
      expect([end, damage === undefined]).toEqual([end, end === first.length]);
      expect('first\nsecond\n').toContain(text);
      if (end >= first.length) expect(text).toMatch(/^first\n/);
    }
  });

  test.each([
    ['other bytes after the last frame', Buffer.concat([frame('a\n'), Buffer.from('behind')]), 'a\n'],
    ['zero bytes after the last frame', Buffer.concat([frame('a\n'), Buffer.alloc(9)]), 'a\n'],
    ['a wrong checksum', Buffer.concat([frame('a\n').subarray(0, -4), Buffer.alloc(4)]), 'a\n'],
    ['only the first bytes', frame('a\n').subarray(0, 4), ''],
  ])('zstd is damaged, and the text before the damage is read: %s', async (_, bytes, text) => {
    const read = await all(bytes);
    expect([read.text, read.damage?.compression, read.damage?.needsMemory]).toEqual([text, 'zstd', false]);
  });

  test('damage in the middle loses little of the text before it', async () => {
    const bytes = frame(lines);
    bytes.fill(0xff, bytes.length - 2000, bytes.length - 1950);
    const { text, damage } = await all(bytes);
    expect(damage).toBeDefined();
    // A frame consists of blocks of 128 KiB, and only whole blocks can be decompressed.
    expect(text.slice(0, 128 * 1024)).toBe(lines.slice(0, 128 * 1024));
  });

  test('a frame that needs more than 128 MiB of memory is not called damaged', async () => {
    // The header of a frame with a window of 2 GiB (RFC 8878, section 3.1.1).
    const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 0x01, 0x00, 0x00]);
    expect((await all(header)).damage?.needsMemory).toBe(true);
  });
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(64 << 20, ' '))],
  ['zstd', zstdCompressSync(Buffer.alloc(64 << 20, ' '))],
] as const)('%s that decompresses to thousands of times its size is yielded in small chunks', async (compression, bytes) => {
  const { largest, damage } = await all(bytes, [65_536], compression);
  expect([largest <= 2 << 20, damage]).toEqual([true, undefined]);
});
