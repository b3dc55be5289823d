import { describe, expect, test } from 'vitest';
import { recording, type Seen, samplesOf, smooth } from './recording.fixture.ts';

const seen = recording({ seed: 10, people: 30, days: 14, rates: { ...smooth, outage: 0.03 } });

function slugOf({ body }: Seen): string {
  const { provider, source } = body.data as {
    provider?: string | { slug: string };
    source?: { provider?: string; slug?: string };
  };
  if (typeof provider === 'string') return provider;
  return provider?.slug ?? source?.provider ?? source?.slug ?? '';
}

const connections = Map.groupBy(seen, (one) => `${one.body.user_id} ${slugOf(one)}`);
const types = (list: readonly Seen[]) => list.map(({ body }) => body.event_type);
const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

describe('a connection', () => {
  test('the first event lists the available resources', () => {
    for (const list of connections.values()) {
      expect(list[0]?.body.event_type).toBe('provider.connection.created');
      const { resource_availability, provider, source } = list[0]!.body.data as Record<string, Record<string, unknown>>;
      const available = Object.entries(resource_availability!).filter(
        ([, one]) => (one as { status: string }).status === 'available',
      );
      const marked = new Set(types(list).flatMap((type) => /^historical\.data\.(\w+)\.created$/.exec(type)?.[1] ?? []));
      expect(new Set(available.map(([resource]) => resource))).toEqual(marked);
      if (source !== undefined) expect(source).toEqual(provider);
    }
    const deprecated = seen
      .filter(({ body }) => body.event_type === 'provider.connection.created')
      .map(({ body }) => 'source' in body.data);
    expect(new Set(deprecated)).toEqual(new Set([true, false]));
  });

  test('the completion marker follows the past data, except that garmin sends the marker first', () => {
    let pulled = 0;
    for (const [name, list] of connections) {
      const marker = types(list).indexOf('historical.data.activity.created');
      const first = types(list).indexOf('daily.data.activity.created');
      if (marker < 0) continue;
      const { start_date, end_date } = list[marker]!.body.data as Record<string, string>;
      if (name.endsWith('garmin')) expect(marker).toBeLessThan(first);
      else {
        const old = list.slice(0, marker).filter(({ body }) => body.event_type === 'daily.data.activity.created');
        const dates = old.map(({ body }) => String(body.data.calendar_date)).sort();
        expect(days(dates[0]!, end_date!)).toBeGreaterThan(29);
        pulled += dates.length;
      }
      expect(start_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
      expect(days(start_date!, end_date!)).toBe(30);
    }
    expect(pulled).toBeGreaterThan(500);
  });

  test('only some completion markers have is_final', () => {
    const markers = seen.filter(({ body }) => body.event_type.startsWith('historical.'));
    expect(new Set(markers.map(({ body }) => body.data.is_final))).toEqual(new Set([true, undefined]));
  });

  test('no events are sent during a break, and the missed data is sent after the break', () => {
    let [broken, returned, missed] = [0, 0, 0];
    for (const list of connections.values()) {
      for (const [at, one] of list.entries()) {
        if (one.body.event_type !== 'provider.connection.error') continue;
        broken++;
        // Events that were sent before the break may arrive some seconds after it began, and completion markers hours later.
        const next = list
          .slice(at + 1)
          .filter(({ micros, body }) => micros > one.micros + 60e6 && !body.event_type.startsWith('historical.'));
        if (next.length === 0) continue;
        expect(next[0]!.body.event_type).toBe('provider.connection.created');
        returned++;
        const end = next[0]!.micros / 1000;
        const times = next.flatMap((each) => samplesOf(each).map(({ timestamp, start }) => Date.parse(start ?? timestamp!)));
        missed += times.filter((time) => time > one.micros / 1000 && time < end).length;
      }
    }
    expect(returned).toBeGreaterThan(3);
    expect(returned).toBeLessThan(broken);
    expect(missed).toBeGreaterThan(200);
  });
});
