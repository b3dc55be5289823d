import { expect, test } from 'vitest';
import { recording, type Seen, samplesOf, smooth, sourceType, zonesOf } from './recording.fixture.ts';

// With seed 8, one person with a sensor lives in Berlin, where the clocks change on 29 March.
const options = { seed: 8, people: 20, days: 14, rates: smooth };
const zones = zonesOf(options);
const seen = recording(options);
const readings = seen.filter(({ body }) => body.event_type.startsWith('daily.data.glucose.'));
const connected = seen.filter(({ body }) => body.event_type === 'provider.connection.created');

/** Returns whether an event may belong to the pull at the beginning of a connection, which brings earlier readings. */
function mayBePulled({ body, micros }: Seen): boolean {
  return connected.some((one) => one.body.user_id === body.user_id && Math.abs(micros - one.micros) < 600e6);
}

test('timestamps show the local wall clock as if it were UTC, without an offset', () => {
  const lead = new Map<string, Set<number>>();
  for (const seen of readings) {
    expect(samplesOf(seen).every(({ timezone_offset }) => timezone_offset === null)).toBe(true);
    // A manual scan arrives within seconds, so its timestamp minus the time of receipt is the zone's UTC offset.
    if (sourceType(seen) !== 'manual_scan' || mayBePulled(seen)) continue;
    const zone = zones.get(seen.body.user_id)!;
    const ahead = Math.round((Date.parse(samplesOf(seen)[0]!.timestamp!) - seen.micros / 1000) / 900_000) * 900;
    expect(ahead).toBe(zone.offsetSeconds(seen.micros / 1000));
    lead.set(zone.name, (lead.get(zone.name) ?? new Set()).add(ahead));
  }
  expect([...lead.get('Europe/Berlin')!].sort()).toEqual([3600, 7200]);
  expect(lead.size).toBeGreaterThan(2);
});

test('values are plausible and vary by more than 3 mmol/L', () => {
  const values = readings.flatMap((seen) => samplesOf(seen).map(({ value }) => value!));
  expect(Math.min(...values)).toBeGreaterThanOrEqual(2.2);
  expect(Math.max(...values)).toBeLessThan(20);
  expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(3);
  expect(values.every((value) => Math.round(value * 10) / 10 === value)).toBe(true);
});

test('automatic readings and manual scans have different source types', () => {
  const kinds = new Set(readings.flatMap((seen) => samplesOf(seen).map(({ type }) => `${sourceType(seen)} ${type}`)));
  expect([...kinds].sort()).toEqual(['automatic automatic', 'manual_scan manual_scan']);
});

test('a sensor takes a reading every 15 minutes', () => {
  const gaps = new Map<number, number>();
  for (const seen of readings.filter((one) => sourceType(one) === 'automatic' && one.body.event_type.endsWith('created'))) {
    const times = samplesOf(seen).map(({ timestamp }) => Date.parse(timestamp!));
    for (let i = 1; i < times.length; i++) gaps.set(times[i]! - times[i - 1]!, (gaps.get(times[i]! - times[i - 1]!) ?? 0) + 1);
  }
  const total = [...gaps.values()].reduce((sum, count) => sum + count, 0);
  expect((gaps.get(900_000) ?? 0) / total).toBeGreaterThan(0.97);
});
