import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deliveries, deliveryLine, otherBody, type RecordingOptions } from './deliveries.ts';
import { membersOf, recording, type Seen, samplesOf, smooth } from './recording.fixture.ts';

const small: RecordingOptions = { seed: 7, people: 10, days: 3 };
const demo: RecordingOptions = { seed: 1, people: 20, days: 14 };

/** SHA-256 of the small recording. Replace it after an intended change to the generator. */
const golden = 'ac6224a3f7d837a9865d767a3156c35bf4b1c3f0330df39c2df26b100c1d587e';

function digest(options: RecordingOptions): string {
  const hash = createHash('sha256');
  for (const delivery of deliveries(options)) hash.update(`${deliveryLine(delivery)}\n`);
  return hash.digest('hex');
}

describe('a recording', () => {
  test('the same options give the same bytes in every run', () => {
    expect(digest(small)).toBe(golden);
    expect(digest(small)).toBe(golden);
  });

  test('the same options give the same bytes in a different time zone and locale', () => {
    const program = `
      import { createHash } from 'node:crypto';
      import { deliveries, deliveryLine } from './index.ts';
      const hash = createHash('sha256');
      for (const delivery of deliveries(${JSON.stringify(small)})) hash.update(deliveryLine(delivery) + '\\n');
      process.stdout.write(hash.digest('hex'));`;
    const env = { ...process.env, TZ: 'Asia/Kathmandu', LC_ALL: 'ar_EG.UTF-8', LANG: 'ar_EG.UTF-8' };
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: import.meta.dirname, env });
    expect(printed.toString()).toBe(golden);
  });

  test('a different seed gives different people', () => {
    const users = new Set(membersOf(small).map(({ person }) => person.userId));
    expect(membersOf({ ...small, seed: 8 }).filter(({ person }) => users.has(person.userId))).toEqual([]);
  });

  test('adding people does not change the existing people', () => {
    expect(membersOf({ ...small, people: 23 }).slice(0, 10)).toEqual(membersOf(small));
  });
});

describe('deliveries', () => {
  const seen = recording(demo);

  test('offsets count from 0 in each partition, and times of receipt never decrease', () => {
    const next = new Map<number, number>();
    let last = 0;
    for (const { partition, offset, micros } of seen) {
      expect(offset).toBe(next.get(partition) ?? 0);
      next.set(partition, offset + 1);
      expect(micros).toBeGreaterThanOrEqual(last);
      last = micros;
    }
    expect([...next.keys()].sort()).toEqual([0, 1, 2, 3]);
  });

  test('a user stays in one partition, and the headers match the body', () => {
    const people = new Map(membersOf(demo).map(({ person }) => [person.userId, person]));
    const partitions = new Map<string, number>();
    for (const { partition, headers, body, received_at } of seen) {
      const person = people.get(body.user_id);
      expect(partitions.get(body.user_id) ?? partition).toBe(partition);
      partitions.set(body.user_id, partition);
      expect([body.client_user_id, body.team_id]).toEqual([person?.clientUserId, person?.teamId]);
      const { 'idempotency-key': key, ...rest } = headers;
      expect(rest).toEqual({ 'event-type': body.event_type, 'user-id': body.user_id, 'team-id': body.team_id });
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(received_at).toMatch(/^2026-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    }
    expect(partitions.size).toBe(20);
  });

  test('parsing a line and writing it again gives the same line', () => {
    for (const { line } of seen.slice(0, 2000)) {
      const read = JSON.parse(line);
      expect(Object.keys(read)).toEqual(['source', 'partition', 'offset', 'received_at', 'headers', 'body']);
      expect(JSON.stringify(read)).toBe(line);
    }
    // JSON would write NaN and Infinity as null, and leave out undefined.
    expect(seen.filter(({ line }) => /:(NaN|undefined|Infinity)|"value":null/.test(line))).toEqual([]);
  });

  test('every seed gives all event types of the providers that people connect', () => {
    const resources = membersOf(demo).flatMap(({ spells }) => spells.flatMap(({ connection }) => connection.provider.resources));
    const all = [
      ...['connection.created', 'connection.error'].map((name) => `provider.${name}`),
      ...new Set(resources.flatMap((name) => [`daily.data.${name}.created`, `historical.data.${name}.created`])),
      ...['activity', 'sleep', 'heartrate', 'steps', 'glucose', 'blood_pressure'].map((name) => `daily.data.${name}.updated`),
    ];
    for (const seed of [1, 5, 99]) {
      const types = new Set<string>();
      for (const { headers } of deliveries({ ...demo, seed })) types.add(headers['event-type']!);
      expect([...types].sort()).toEqual(all.sort());
    }
  });

  test('20 people have between 150,000 and 400,000 samples in 14 days', () => {
    const samples = seen.reduce((sum, one) => sum + samplesOf(one).length, 0);
    expect(samples).toBeGreaterThan(150_000);
    expect(samples).toBeLessThan(400_000);
  });

  test('a redelivery has the same headers as the first delivery and, except in a few cases, the same body', () => {
    const first = new Map<string, { headers: string; body: string; micros: number }>();
    let [same, other, soon] = [0, 0, 0];
    for (const { headers, body, micros } of seen) {
      const id = `${headers['user-id']} ${headers['event-type']} ${headers['idempotency-key']}`;
      const now = { headers: JSON.stringify(headers), body: JSON.stringify(body), micros };
      const before = first.get(id);
      if (before === undefined) first.set(id, now);
      else {
        expect(now.headers).toBe(before.headers);
        if (now.body === before.body) same++;
        else other++;
        if (micros - before.micros < 31 * 60e6) soon++;
      }
    }
    expect(same / first.size).toBeGreaterThan(0.015);
    expect(same / first.size).toBeLessThan(0.025);
    expect(other).toBeGreaterThan(0);
    expect(other / first.size).toBeLessThan(0.002);
    expect(soon / (same + other)).toBeGreaterThan(0.93);
    expect(soon).toBeLessThan(same + other);
  });

  test('delivery ids are unique only within a user and an event type', () => {
    const types = new Map<string, Set<string>>();
    for (const { headers } of seen) {
      const key = headers['idempotency-key']!;
      types.set(key, (types.get(key) ?? new Set()).add(headers['event-type']!));
    }
    expect([...types.values()].some((set) => set.size > 1)).toBe(true);
  });
});

test('the first deliveries of a ten-year recording are available before the later days are planned', () => {
  const first = deliveries({ seed: 1, people: 5, days: 3650 }).take(50).toArray();
  expect(first.map(({ offset }) => offset).filter((offset) => offset === 0).length).toBeGreaterThan(0);
  expect(first.length).toBe(50);
});

const base = { seed: 3, people: 20, days: 5 };

/** Returns, for each summary with `updated_at`, the minutes from that time to the time of receipt. */
function delays(list: readonly Seen[]): number[] {
  return list
    .filter(({ body }) => typeof body.data.updated_at === 'string')
    .map(({ body, micros }) => (micros / 1000 - Date.parse(body.data.updated_at as string)) / 60_000);
}

const share = (list: readonly number[]) => list.filter((minutes) => minutes > 50).length / list.length;

test('without mishaps, every summary arrives within three minutes', () => {
  const list = delays(recording({ ...base, rates: smooth }));
  expect(list.length).toBeGreaterThan(1000);
  expect(Math.min(...list)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...list)).toBeLessThan(3);
});

test('late events and failed attempts occur at the configured rates', () => {
  const none = share(delays(recording({ ...base, rates: smooth })));
  const some = share(delays(recording({ ...base, rates: { ...smooth, late: 0.1, failedRetry: 0.1 } })));
  expect(none).toBe(0);
  // The expected share is 1 - 0.9 * 0.9, minus the events that would arrive after the end of the recording.
  expect(some).toBeGreaterThan(0.16);
  expect(some).toBeLessThan(0.21);
});

test('the retry of a failed attempt delivers an older version after a newer one', () => {
  const newest = new Map<string, string>();
  let older = 0;
  for (const { body } of recording({ ...base, rates: { ...smooth, failedRetry: 0.1 } })) {
    const { id, updated_at } = body.data as { id?: string; updated_at?: string };
    if (id === undefined || updated_at === undefined) continue;
    const before = newest.get(id);
    if (before !== undefined && Date.parse(updated_at) < Date.parse(before)) older++;
    else newest.set(id, updated_at);
  }
  expect(older).toBeGreaterThan(20);
});

test('in the oldest event format, which has no updated_at, only a first version can arrive after a newer version', () => {
  const last = new Map<string, number>();
  let [updates, lateFirsts] = [0, 0];
  for (const { body } of recording({ ...base, people: 60, rates: { ...smooth, late: 0.3, failedRetry: 0.3 } })) {
    if (!body.event_type.startsWith('daily.data.activity') || 'updated_at' in body.data) continue;
    const { id, calories_total } = body.data as { id: string; calories_total: number };
    const before = last.get(id);
    if (body.event_type.endsWith('.created')) {
      if (before !== undefined && before > calories_total) lateFirsts++;
      last.set(id, Math.max(before ?? 0, calories_total));
      continue;
    }
    expect(calories_total).toBeGreaterThanOrEqual(before ?? 0);
    last.set(id, calories_total);
    updates++;
  }
  expect(updates).toBeGreaterThan(50);
  expect(lateFirsts).toBeGreaterThan(5);
});

test('some heart rate events of a user arrive out of order', () => {
  const newest = new Map<string, number>();
  let back = 0;
  for (const seen of recording({ ...base, rates: { ...smooth, late: 0.1 } })) {
    const first = samplesOf(seen)[0]?.timestamp;
    if (!seen.body.event_type.startsWith('daily.data.heartrate.created') || first === undefined) continue;
    const key = JSON.stringify([seen.body.user_id, seen.body.data.source]);
    if (Date.parse(first) < (newest.get(key) ?? 0) - 86_400_000) back++;
    else newest.set(key, Math.max(newest.get(key) ?? 0, Date.parse(first)));
  }
  expect(back).toBeGreaterThan(10);
});

test('otherBody returns a copy with one changed value and does not modify the original body', () => {
  const data = { source: {}, data: [{ value: 5.1 }, { value: 6.3 }] };
  expect(otherBody(data)).toEqual({ source: {}, data: [{ value: 5.1 }, { value: 7.3 }] });
  expect(data.data[1]).toEqual({ value: 6.3 });
  expect(otherBody({ id: 'a', steps: 10, updated_at: 'x' })).toEqual({ id: 'a', steps: 11, updated_at: 'x' });
});
