import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identityOf } from './entry.ts';

const part = fc.option(fc.string({ maxLength: 12 }));

test('an identity is a whole number of 52 bits, and a function of its parts', () => {
  fc.assert(
    fc.property(part, part, fc.string(), (user, type, id) => {
      const identity = identityOf(user, type, id);
      expect(Number.isSafeInteger(identity) && identity >= 0 && identity < 2 ** 52).toBe(true);
      expect(identityOf(user, type, id)).toBe(identity);
    }),
  );
});

test.each([
  [null, null, '', 4225612099429624],
  ['u-1', 'daily.data.activity.created', 'd-1', 4364822091944699],
  ['ü'.repeat(300), null, 'é€😀', 876735189976460],
  [null, 'x'.repeat(255), 'd', 3068763316808798],
])('an identity is the one that is kept since the first version (%#)', (user, type, id, identity) => {
  expect(identityOf(user, type, id)).toBe(identity);
});

test('what moves from one part to the next makes another identity', () => {
  expect(identityOf('ab', 'c', 'd')).not.toBe(identityOf('a', 'bc', 'd'));
  expect(identityOf('a', 'bc', 'd')).not.toBe(identityOf('a', 'b', 'cd'));
});

test('a million ids of a few users are a million identities', () => {
  const identities = new Set<number>();
  const lowest = new Set<number>();
  for (let index = 0; index < 1_000_000; index++) {
    const identity = identityOf(`user-${index % 7}`, 'daily.data.activity.created', `delivery-${index}`);
    identities.add(identity);
    lowest.add(identity % 2 ** 20);
  }
  // Of 2^52 numbers two would meet once in nine thousand such runs; and this run is always the same one.
  expect(identities.size).toBe(1_000_000);
  // A million throws into 2^20 boxes leave a share of e^(-10^6/2^20) of them empty.
  expect(lowest.size / 2 ** 20).toBeCloseTo(1 - Math.exp(-1e6 / 2 ** 20), 2);
});
