import { expect, test } from 'vitest';
import { providerSlug, recording, samplesOf, smooth, sourceType } from './recording.fixture.ts';

const seen = recording({ seed: 6, people: 20, days: 8, rates: smooth }).filter(({ body }) =>
  body.event_type.startsWith('daily.data.steps.'),
);
const minutes = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / 60_000;

test('a bucket is 15 minutes or an hour long, depending on the provider', () => {
  const lengths = new Map<string, Set<number>>();
  for (const one of seen) {
    const set = lengths.get(providerSlug(one)) ?? new Set<number>();
    lengths.set(providerSlug(one), set);
    for (const { start, end } of samplesOf(one)) set.add(minutes(start!, end!));
  }
  expect(lengths.get('fitbit')).toEqual(new Set([15]));
  expect(lengths.get('garmin')).toEqual(new Set([15]));
  expect(lengths.get('apple_health_kit')).toContain(60);
});

test('an incomplete bucket is sent again as `.updated`, with a larger value', () => {
  const known = new Map<string, number>();
  let grown = 0;
  for (const one of seen) {
    for (const { start, value } of samplesOf(one)) {
      const key = `${one.body.user_id} ${providerSlug(one)} ${sourceType(one)} ${Date.parse(start!)}`;
      const before = known.get(key);
      if (before !== undefined) expect(value!).toBeGreaterThanOrEqual(before);
      if (one.body.event_type.endsWith('updated') && before !== undefined) {
        expect(value!).toBeGreaterThan(before);
        grown++;
      }
      known.set(key, value!);
    }
  }
  expect(grown).toBeGreaterThan(200);
});

test('a phone counts fewer steps than a watch from the same provider and person', () => {
  const sums = new Map<string, number>();
  for (const one of seen.filter(
    (each) => providerSlug(each) === 'apple_health_kit' && each.body.event_type.endsWith('created'),
  )) {
    const sum = samplesOf(one).reduce((all, { value }) => all + value!, 0);
    sums.set(sourceType(one), (sums.get(sourceType(one)) ?? 0) + sum);
  }
  expect([...sums.keys()].sort()).toEqual(['phone', 'watch']);
  expect(sums.get('phone')!).toBeLessThan(sums.get('watch')! * 0.8);
});
