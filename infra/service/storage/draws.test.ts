import { expect, test } from 'vitest';
import { Database } from './database.ts';
import { drawsOf, storedDraws } from './draws.ts';
import { Secrets } from './secrets.ts';

const secrets = new Secrets(Buffer.alloc(32));

test('the same seed draws the same values, and another seed or purpose draws others', () => {
  const [first, second] = [drawsOf('1'), drawsOf('1')];
  const values = (draws = first) => [draws.uuid('user'), draws.uuid('user'), draws.bytes('key', 16).toString('hex')];
  const drawn = values();
  expect(values(second)).toEqual(drawn);
  expect(new Set([...drawn, drawsOf('2').uuid('user'), drawsOf('1').uuid('team')]).size).toBe(5);
});

test('draws for one purpose do not change those for another', () => {
  const [plain, mixed] = [drawsOf('1'), drawsOf('1')];
  mixed.uuid('team');
  expect(mixed.uuid('user')).toBe(plain.uuid('user'));
});

test('a UUID has version 4 and the variant of RFC 9562', () => {
  const draws = drawsOf('1');
  for (let index = 0; index < 100; index++)
    expect(draws.uuid('id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('draws of a transaction that is undone are drawn again', () => {
  const database = Database.open(':memory:');
  const draws = storedDraws(database, secrets, 1);
  let undone = '';
  const change = () => {
    undone = draws.uuid('user');
    throw new Error('undone');
  };
  expect(() => database.transaction(change)).toThrow('undone');
  expect(draws.uuid('user')).toBe(undone);
  database.close();
});

test('without a seed, two databases draw different values', () => {
  const [first, second] = [Database.open(':memory:'), Database.open(':memory:')];
  expect(storedDraws(first, secrets).uuid('user')).not.toBe(storedDraws(second, secrets).uuid('user'));
  for (const database of [first, second]) database.close();
});

test('the database does not show the seed, from which all keys follow', () => {
  const database = Database.open(':memory:');
  storedDraws(database, secrets, 123_456_789).uuid('team');
  const texts = database
    .all<{ name: string }>("select name from sqlite_schema where type = 'table'")
    .flatMap(({ name }) => database.all(`select * from ${name}`))
    .map((row) => JSON.stringify(row));
  expect(texts.length).toBeGreaterThan(1);
  for (const shown of ['123456789', Buffer.from('123456789').toString('base64')]) expect(texts.join('\n')).not.toContain(shown);
  expect(() => storedDraws(database, new Secrets(Buffer.alloc(32, 1)))).toThrow();
  database.close();
});
