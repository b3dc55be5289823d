import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FilesSource } from './source.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'incomplete-'));
});
afterAll(() => rm(folder, { recursive: true }));

const event = (value: number) => JSON.stringify({ event_type: 'daily.data.steps.created', user_id: 'u', data: { value } });
const delivery = (offset: number) =>
  JSON.stringify({
    source: 'hub',
    partition: 3,
    offset,
    received_at: '2026-01-02T03:04:05Z',
    headers: {},
    body: { a: { filling: 'x'.repeat(600), b: { c: offset } } },
  });
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

interface Read {
  readonly bodies: readonly string[];
  /** The code and line of each error. */
  readonly errors: readonly (readonly [code: string, line: unknown])[];
}

async function read(content: string | Buffer): Promise<Read> {
  const path = join(folder, 'file');
  await writeFile(path, content);
  const source = new FilesSource({ paths: [path], receivedAt: 42 });
  const bodies: string[] = [];
  for await (const { deliveries } of source.batches(new AbortController().signal)) {
    bodies.push(...deliveries.map(({ body, malformed }) => `${malformed === true ? 'malformed ' : ''}${body}`));
  }
  return { bodies, errors: source.errors.map(({ code, details }) => [code, details.line]) };
}

const incomplete = (line: number) => [['AORTA-FILE-INCOMPLETE', line]];

describe('a last line without a line end', () => {
  const cut = event(2).slice(0, -5);
  const body = (offset: number) => JSON.stringify(JSON.parse(delivery(offset)).body);
  const cases: Record<string, { content: string; bodies: string[]; line: number }> = {
    'an event that is cut off': { content: `${event(1)}\n${cut}`, bodies: [event(1)], line: 2 },
    'an event that is cut off, after a blank line': { content: `${event(1)}\n\n${cut}`, bodies: [event(1)], line: 3 },
    'an event that is cut off, alone in its file': { content: cut, bodies: [], line: 1 },
    'an event that is cut off, with white space after it': { content: `${event(1)}\r\n${cut}  \r`, bodies: [event(1)], line: 2 },
    'an event that is cut off, after lines that are not JSON': { content: `no\n{"no\n${cut}`, bodies: ['no', '{"no'], line: 3 },
    'text that is not JSON': { content: `${event(1)}\nno JSON`, bodies: [event(1)], line: 2 },
    'text that is not JSON, alone in its file': { content: '{no JSON}', bodies: [], line: 1 },
    'a number, which may lack digits': { content: `${event(1)}\n12`, bodies: [event(1)], line: 2 },
    'two objects': { content: `${event(1)}\n${event(2)}${event(3)}`, bodies: [event(1)], line: 2 },
    'a delivery that is cut off': { content: `${delivery(1)}\n${delivery(2).slice(0, 40)}`, bodies: [body(1)], line: 2 },
    'a delivery that is cut off between its closing braces': {
      content: `${delivery(1)}\n${delivery(2).slice(0, -1)}`,
      bodies: [body(1)],
      line: 2,
    },
    'a delivery that is cut off, alone in its file': { content: delivery(1).slice(0, -1), bodies: [], line: 1 },
  };
  test.each(Object.entries(cases))('is reported as incomplete and is no delivery: %s', async (_, { content, bodies, line }) => {
    for (const bytes of [Buffer.from(content), gzipSync(content)])
      expect(await read(bytes)).toEqual({ bodies, errors: incomplete(line) });
  });

  test.each([
    ['an event', `${event(1)}\n${event(2)}`, [event(1), event(2)]],
    ['an event after a byte order mark', `${event(1)}\n\uFEFF${event(2)}`, [event(1), `\uFEFF${event(2)}`]],
    ['an event with white space after it', `${event(1)}\n${event(2)} \r`, [event(1), `${event(2)} `]],
    ['an event in a file of one line', event(1), [event(1)]],
  ])('is read as before if it is one whole JSON object: %s', async (_, content, bodies) => {
    expect(await read(content)).toEqual({ bodies, errors: [] });
  });

  test('is still a dead letter if it is one whole JSON object, but no delivery', async () => {
    const broken = '{"source":"hub","partition":3}';
    const { bodies, errors } = await read(`${delivery(1)}\n${broken}`);
    expect(bodies).toEqual([JSON.stringify(JSON.parse(delivery(1)).body), `malformed ${broken}`]);
    expect(errors).toEqual([['AORTA-FILE-ENTRY', 2]]);
  });

  test('does not make a line with a line end incomplete', async () => {
    expect(await read(`${event(1)}\n${cut}\n`)).toEqual({ bodies: [event(1), cut], errors: [] });
  });

  test('is incomplete wherever an object is cut off', async () => {
    const whole = `${event(1)}\n${JSON.stringify({ event_type: 'é"\\', data: [{ a: [] }, '😀', 1.5e3, null] })}`;
    const bytes = Buffer.from(whole);
    const begins = Buffer.byteLength(event(1)) + 1;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: begins + 1, max: bytes.length - 1 }), async (size) => {
        expect(await read(bytes.subarray(0, size))).toEqual({ bodies: [event(1)], errors: incomplete(2) });
      }),
      { numRuns: 60 },
    );
  });
});

describe('a JSON document that is cut off', () => {
  const events = [JSON.parse(event(1)), JSON.parse(event(2))];
  const documents: Record<string, string> = {
    'an array on one line': JSON.stringify(events),
    'an array over several lines': pretty(events),
    'an array with one element per line': `[\n${event(1)},\n${event(2)}\n]`,
    'an event over several lines': pretty(JSON.parse(event(1))),
    'a delivery over several lines': pretty(JSON.parse(delivery(1))),
    'an array after blank lines and a byte order mark': `\uFEFF\n\n${pretty(events)}`,
  };
  test.each(Object.entries(documents))(
    'is reported as incomplete wherever it is cut off, and is no delivery: %s',
    async (_, text) => {
      const bytes = Buffer.from(text);
      const begins = text.startsWith('\uFEFF') ? 6 : 1;
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: begins, max: bytes.length - 1 }), async (size) => {
          const { bodies, errors } = await read(bytes.subarray(0, size));
          expect(bodies).toEqual([]);
          expect(errors).toMatchObject([['AORTA-FILE-INCOMPLETE', expect.any(Number)]]);
        }),
        { numRuns: 40 },
      );
    },
  );

  test('names its last line', async () => {
    expect((await read(`[\n${event(1)},\n${event(2).slice(0, 9)}`)).errors).toEqual(incomplete(3));
    expect((await read(`[\n${event(1)},\n`)).errors).toEqual(incomplete(2));
  });

  test('is told apart from lines whose first one is broken', async () => {
    expect(await read(`{"event\n${event(2)}\n`)).toEqual({ bodies: ['{"event', event(2)], errors: [] });
    expect(await read(`{"event":\n${event(2)}\n${event(3)}\n`)).toEqual({
      bodies: ['{"event":', event(2), event(3)],
      errors: [],
    });
    expect(await read(`[1\n${event(2)}\n`)).toEqual({ bodies: ['[1', event(2)], errors: [] });
    expect(await read(`[[1]\nx\n`)).toEqual({ bodies: ['[[1]', 'x'], errors: [] });
  });
});
