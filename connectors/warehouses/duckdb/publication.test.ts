import { expect, test } from 'vitest';
import { PublicationPace } from './publication.ts';

const there = (): boolean => true;
const missing = (): boolean => false;

test('the first copy is due at once, and later copies are due only after changes', () => {
  const pace = new PublicationPace(1_000, false);
  expect([pace.isDue(0, missing), pace.isDue(0, there), pace.behind]).toEqual([true, false, true]);
  pace.merged();
  expect(pace.isDue(0, there)).toBe(true);
  expect(new PublicationPace(1_000, true).isDue(0, there)).toBe(true);
});

test('the next copy is due after a merge, but not before the pause is over', () => {
  const pace = new PublicationPace(1_000, true);
  pace.published(50, 60);
  expect([pace.behind, pace.isDue(10_000, there)]).toEqual([false, false]);
  pace.merged();
  expect([pace.isDue(1_059, there), pace.isDue(1_060, there)]).toEqual([false, true]);
});

test('the pause after a publication is ninety-nine times as long as the publication', () => {
  const pace = new PublicationPace(1_000, true);
  pace.published(0, 100);
  pace.changed();
  expect([pace.isDue(9_999, there), pace.isDue(10_000, there)]).toEqual([false, true]);
});
