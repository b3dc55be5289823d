import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Database } from '../storage/database.ts';
import { drawsOf } from '../storage/draws.ts';
import { Secrets } from '../storage/secrets.ts';
import { Signatures } from '../storage/signatures.ts';
import { Cursors } from './cursor.ts';

const databases: Database[] = [];
afterAll(() => {
  for (const database of databases) database.close();
});

/** The cursors of a new service. */
function cursorsOf(seed: string): Cursors {
  const database = Database.open(':memory:');
  databases.push(database);
  return new Cursors(new Signatures({ database, draws: drawsOf(seed), secrets: new Secrets(Buffer.alloc(32)) }));
}

const cursors = cursorsOf('1');
const form = z.tuple([z.int(), z.string()]);
const schema = cursors.schema('things', form);
const isTaken = (text: string): boolean => schema.safeParse(text).success;

const positions = fc.tuple(
  fc.maxSafeInteger().map((number) => number + 0),
  fc.string({ unit: 'binary' }),
);
const texts = positions.map((position) => cursors.of('things', position));
const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ '];

test('a position comes back from its cursor', () => {
  fc.assert(
    fc.property(positions, (position) => {
      expect(schema.parse(cursors.of('things', position))).toEqual(position);
    }),
  );
});

test('a cursor needs no encoding in a query', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(encodeURIComponent(text)).toBe(text);
    }),
  );
});

test('a cursor with any single character changed, removed or added is refused', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.constantFrom(...alphabet), (text, any, character) => {
      const at = any % text.length;
      const [before, after] = [text.slice(0, at), text.slice(at + 1)];
      fc.pre(text[at] !== character);
      expect(isTaken(text)).toBe(true);
      expect(isTaken(`${before}${character}${after}`)).toBe(false);
      expect(isTaken(`${before}${after}`)).toBe(false);
      expect(isTaken(`${before}${character}${text.slice(at)}`)).toBe(false);
      expect(isTaken(`${text}${character}`)).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test('no character of a cursor can be replaced by any other', () => {
  const text = cursors.of('things', [1, 'a']);
  const changed = [...text].flatMap((right, at) =>
    alphabet.filter((wrong) => wrong !== right).map((wrong) => `${text.slice(0, at)}${wrong}${text.slice(at + 1)}`),
  );
  expect(changed.filter(isTaken)).toEqual([]);
});

test('the signature of a cursor does not fit another position', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      fc.pre(one !== other);
      expect(isTaken(`${one.split('.')[0]}.${other.split('.')[1]}`)).toBe(false);
    }),
  );
});

test('a cursor of another list, or of a service with another seed, is refused', () => {
  const other = cursorsOf('2');
  const names = fc.string().filter((name) => name !== 'things');
  fc.assert(
    fc.property(positions, names, (position, name) => {
      expect(isTaken(cursors.of(name, position))).toBe(false);
      expect(isTaken(other.of('things', position))).toBe(false);
    }),
  );
});

test('services with the same seed have the same cursors', () => {
  const [first, second] = [cursorsOf('3'), cursorsOf('3')];
  fc.assert(
    fc.property(positions, fc.string(), (position, name) => {
      expect(second.of(name, position)).toBe(first.of(name, position));
    }),
  );
});

const unsigned = Buffer.from('[1,"a"]').toString('base64url');
test.each([
  ['no text of a cursor', 'None'],
  ['nothing', ''],
  ['two empty parts', '.'],
  ['no signature', unsigned],
  ['an empty signature', `${unsigned}.`],
  ['a made-up signature', `${unsigned}.${'A'.repeat(43)}`],
  ['a position of another form', cursors.of('things', [1])],
])('a cursor with %s is refused', (_, text) => {
  expect(isTaken(text)).toBe(false);
});
