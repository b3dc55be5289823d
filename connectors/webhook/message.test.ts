import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createdAt, receiptTime } from './message.ts';

const DAY_US = 24 * 3600 * 1_000_000;
/** The example in the README of segmentio/ksuid, with the time that its tool prints. */
const example = { id: 'msg_0ujtsYcgvSTl8PAuAdqWYSMnLOv', at: Date.parse('2017-10-10T04:00:47Z') * 1000 };

describe('createdAt()', () => {
  test('the creation time of a KSUID is in its first four bytes', () => {
    expect(createdAt(example.id)).toBe(example.at);
    expect(createdAt(`msg_${'0'.repeat(27)}`)).toBe(Date.parse('2014-05-13T16:53:20Z') * 1000);
    // The largest KSUID.
    expect(createdAt('msg_aWgEPTl1tmebfsQzFP4bxwgy80V')).toBe((1_400_000_000 + 2 ** 32 - 1) * 1_000_000);
  });

  test.each([
    ['without the prefix', '0ujtsYcgvSTl8PAuAdqWYSMnLOv'],
    ['with 26 digits', 'msg_0ujtsYcgvSTl8PAuAdqWYSMnLO'],
    ['with a character outside base62', 'msg_0ujtsYcgvSTl8PAuAdqWYSMnL-v'],
    ['beyond the largest KSUID', `msg_${'z'.repeat(27)}`],
    ['that is empty', ''],
  ])('an id %s has no creation time', (_, id) => {
    expect(createdAt(id)).toBeUndefined();
  });
});

describe('receiptTime()', () => {
  test('is the creation time within the seven days before the arrival, and otherwise the arrival', () => {
    expect(receiptTime(example.id, example.at)).toBe(example.at);
    expect(receiptTime(example.id, example.at + 7 * DAY_US)).toBe(example.at);
    expect(receiptTime(example.id, example.at + 7 * DAY_US + 1)).toBe(example.at + 7 * DAY_US + 1);
    expect(receiptTime(example.id, example.at - 1)).toBe(example.at - 1);
    expect(receiptTime('msg_other', example.at)).toBe(example.at);
  });

  test('does not depend on when a retry arrives', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 * DAY_US }), fc.integer({ min: 0, max: 7 * DAY_US }), (first, second) => {
        expect(receiptTime(example.id, example.at + first)).toBe(receiptTime(example.id, example.at + second));
      }),
    );
  });
});
