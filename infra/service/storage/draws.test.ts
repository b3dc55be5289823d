import { expect, test } from 'vitest';
import { Database } from './database.ts';
import { drawsOf, storedDraws } from './draws.ts';

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
  const draws = storedDraws(database, 1);
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
  expect(storedDraws(first).uuid('user')).not.toBe(storedDraws(second).uuid('user'));
  for (const database of [first, second]) database.close();
});
