import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identityOf } from './entry.ts';

const part = fc.option(fc.string({ maxLength: 12 }));

test('an identity is a 52-bit integer that depends only on the user, the event type and the delivery id', () => {
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
])('an identity stays the same across versions of Aorta (case %#)', (user, type, id, identity) => {
  expect(identityOf(user, type, id)).toBe(identity);
});

test('an identity changes if characters move between the user, the event type and the delivery id', () => {
  expect(identityOf('ab', 'c', 'd')).not.toBe(identityOf('a', 'bc', 'd'));
  expect(identityOf('a', 'bc', 'd')).not.toBe(identityOf('a', 'b', 'cd'));
});

test('a million delivery ids of a few users have a million different identities', () => {
  const identities = new Set<number>();
  const lowest = new Set<number>();
  for (let index = 0; index < 1_000_000; index++) {
    const identity = identityOf(`user-${index % 7}`, 'daily.data.activity.created', `delivery-${index}`);
    identities.add(identity);
    lowest.add(identity % 2 ** 20);
  }
  // With 52 bits, about one in nine thousand such runs has a collision. This run is deterministic and has no collision.
  expect(identities.size).toBe(1_000_000);
  // If a million ids are assigned to 2^20 buckets at random, the expected fraction of empty buckets is e^(-10^6/2^20).
  expect(lowest.size / 2 ** 20).toBeCloseTo(1 - Math.exp(-1e6 / 2 ** 20), 2);
});
