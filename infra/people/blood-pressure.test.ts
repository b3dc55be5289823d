import { expect, test } from 'vitest';
import { membersOf, providerSlug, recording, samplesOf, smooth } from './recording.fixture.ts';

const options = { seed: 9, people: 20, days: 14, rates: smooth };
const seen = recording(options).filter(({ body }) => body.event_type.startsWith('daily.data.blood_pressure.'));

test('a reading has a systolic and a diastolic value in mmHg, but no `value` member', () => {
  const samples = seen.flatMap(samplesOf);
  expect(samples.length).toBeGreaterThan(300);
  for (const sample of samples) {
    expect('value' in sample).toBe(false);
    expect(sample.unit).toBe('mmHg');
    expect(sample.systolic!).toBeGreaterThan(sample.diastolic! + 10);
    expect(sample.systolic!).toBeLessThan(190);
    expect(sample.diastolic!).toBeGreaterThan(40);
  }
});

test('all readings from withings and none from omron have a UTC offset, and some readings have a `grouping` member', () => {
  const offsets = (slug: string) =>
    new Set(
      seen.filter((one) => providerSlug(one) === slug).flatMap((one) => samplesOf(one).map((sample) => sample.timezone_offset)),
    );
  expect(offsets('omron')).toEqual(new Set([null]));
  expect(offsets('withings').has(null)).toBe(false);
  const grouped = seen.flatMap(samplesOf).filter(({ grouping }) => grouping !== undefined);
  expect(grouped.length).toBeGreaterThan(0);
  expect(grouped.every(({ grouping }) => grouping?.length === 4)).toBe(true);
});

test('a correction changes a reading that was already sent', () => {
  const known = new Map<string, number>();
  let corrected = 0;
  for (const one of seen) {
    for (const { timestamp, systolic } of samplesOf(one)) {
      const key = `${one.body.user_id} ${providerSlug(one)} ${Date.parse(timestamp!)}`;
      if (one.body.event_type.endsWith('updated')) {
        expect(systolic).toBe(known.get(key)! - 4);
        corrected++;
      } else known.set(key, systolic!);
    }
  }
  expect(corrected).toBeGreaterThan(0);
});

test('only people with a blood pressure cuff have readings', () => {
  const owners = membersOf(options).filter(({ spells }) =>
    spells.some(({ connection }) => ['withings', 'omron'].includes(connection.provider.slug)),
  );
  expect(new Set(seen.map(({ body }) => body.user_id))).toEqual(new Set(owners.map(({ person }) => person.userId)));
});
