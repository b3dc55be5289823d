import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockChanges, moveClocks } from '../../machine/system-clock.fixture.ts';
import { Progress } from './progress.ts';

const T = 60_000;

function started(options: { readonly heardEveryMs?: number } = {}) {
  let now = 1_000_000;
  const waited: [string, string, number][] = [];
  const progress = new Progress({
    stalledAfterMs: T,
    clock: () => now,
    onWaited: (part, reason, milliseconds) => waited.push([part, reason, milliseconds]),
  });
  const lane = progress.lane({ kind: 'partition', reader: 'hub', of: '3' }, { part: 'consumer hub', ...options });
  return {
    progress,
    lane,
    waited,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    reasons: () => progress.stalls().map(({ reason }) => reason),
  };
}

describe('a lane with data waiting', () => {
  test('is stalled if its position has not changed for the time limit', () => {
    const { lane, pass, reasons } = started();
    lane.report({ position: 10, end: 10, state: 'reading' });
    pass(10 * T);
    lane.report({ end: 17 });
    pass(T - 1);
    expect(reasons()).toEqual([]);
    pass(1);
    expect(reasons()).toEqual(['partition 3 of source hub has been at 10 for 60 s with 7 deliveries waiting (reading)']);
    lane.report({ position: 11 });
    expect(reasons()).toEqual([]);
  });

  test('new data alone does not count as progress', () => {
    const { lane, pass, reasons } = started();
    for (let end = 1; end <= 60; end++) {
      lane.report({ end });
      pass(1000);
    }
    expect(reasons()).toHaveLength(1);
  });

  test('a rewind counts as progress, and an ended lane is not reported', () => {
    const { lane, pass, reasons, progress } = started();
    lane.report({ position: 10, end: 20 });
    pass(T - 1);
    lane.report({ position: 5 });
    pass(T - 1);
    expect(reasons()).toEqual([]);
    pass(1);
    expect(reasons()).toHaveLength(1);
    lane.end();
    expect(reasons()).toEqual([]);
    expect(progress.lanes()).toEqual([]);
  });

  test('while the part of the program that reads the lane waits with a longer deadline, that deadline is the time limit', () => {
    const { lane, pass, reasons, progress } = started();
    lane.report({ position: 0, end: 5, state: 'reading' });
    progress.wait('the loader', 'publishing', { deadlineMs: 10 * T });
    progress.wait('consumer hub', 'nothing new', { deadlineMs: Number.POSITIVE_INFINITY });
    progress.wait('consumer hub', 'the window is read again', { deadlineMs: 3 * T });
    pass(3 * T - 1);
    expect(reasons()).toEqual([]);
    pass(1);
    expect(reasons()).toEqual([
      'consumer hub has waited for 180 s (limit 180 s): the window is read again',
      'partition 3 of source hub has been at 0 for 180 s with 5 deliveries waiting (reading)',
    ]);
  });

  test('many short waits in a row do not extend the time limit', () => {
    const { lane, pass, reasons, progress } = started();
    lane.report({ position: 0, end: 5 });
    for (let n = 0; n < 60; n++) {
      const ended = progress.wait('consumer hub', 'trying again');
      pass(1000);
      ended();
    }
    expect(reasons()).toHaveLength(1);
  });
});

test('a lane that must report regularly is stalled if it stays silent, even if it has no lag', () => {
  const { lane, pass, reasons } = started({ heardEveryMs: 20_000 });
  lane.report({ position: 4, end: 4, state: 'reading' });
  pass(19_999);
  expect(reasons()).toEqual([]);
  pass(1);
  expect(reasons()).toEqual(['partition 3 of source hub has been silent for 20 s (reading)']);
  lane.report({});
  expect(reasons()).toEqual([]);
});

test('report() ends the silence of a lane, but note() only updates the lane', () => {
  const { lane, pass, reasons, progress } = started({ heardEveryMs: 20_000 });
  lane.report({ position: 4, end: 4, state: 'reading' });
  for (let second = 0; second < 20; second++) {
    lane.note({ end: 4, state: 'opening' });
    pass(1000);
  }
  expect(reasons()).toEqual(['partition 3 of source hub has been silent for 20 s (opening)']);
  lane.note({ position: 5, end: 5 });
  expect(progress.lanes()[0]).toMatchObject({ position: 5, end: 5, state: 'opening' });
  expect(reasons()).toHaveLength(1);
  lane.report({ state: 'reading' });
  expect(reasons()).toEqual([]);
});

test('the deadline of a wait counts from the start of its condition, and the metric from the start of the wait', () => {
  const { progress, pass, waited, reasons } = started();
  progress.wait('the API', 'no answer', { since: 1_000_000 - (T - 10_000) });
  pass(9_999);
  expect(reasons()).toEqual([]);
  pass(1);
  expect(reasons()).toEqual(['the API has waited for 60 s (limit 60 s): no answer']);
  progress.wait('the API', 'a refused key', { since: 1_000_000 })();
  expect(waited).toEqual([['the API', 'a refused key', 0]]);
});

test('an outage is listed immediately, and after its deadline it is the only stall reported for its silent partitions', () => {
  const { lane, pass, reasons, progress } = started({ heardEveryMs: 30_000 });
  lane.report({ state: 'reading' });
  pass(10_000);
  const place = { reader: 'hub', of: 'hub health', partitions: '3' };
  progress.lane({ kind: 'partition', reader: 'hub', of: '4' }, { part: 'consumer hub', heardEveryMs: 25_000 });
  const ended = progress.outage(place, 'its key is refused (x:y)', { since: 1_005_000, deadlineMs: 30_000 });
  expect(progress.outages()).toMatchObject([{ ...place, reason: 'its key is refused (x:y)' }]);
  pass(24_999);
  expect(reasons()).toEqual(['partition 3 of source hub has been silent for 34 s (reading)']);
  pass(1);
  expect(reasons()).toEqual([
    'hub health of source hub has not been read for 30 s: its key is refused (x:y)',
    'partition 4 of source hub has been silent for 25 s (opening)',
  ]);
  ended();
  const silent = ['3', '4'].map((of) => expect.stringContaining(`partition ${of} of source hub has been silent`));
  expect([progress.outages(), reasons()]).toEqual([[], silent]);
});

test('a wait with deadline 0 is immediately a stall, and onWaited is called once for each wait', async () => {
  const { pass, reasons, progress, waited } = started();
  const ended = progress.wait('run', 'starting', { deadlineMs: 0 });
  expect(reasons()).toEqual(['run has waited for 0 s: starting']);
  pass(250);
  ended();
  ended();
  expect(reasons()).toEqual([]);
  await expect(progress.during('consumer hub', 'a flush', Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(waited).toEqual([
    ['run', 'starting', 250],
    ['consumer hub', 'a flush', 0],
  ]);
  expect(progress.waits()).toEqual([]);
});

test('lagMs is 0 if no records are waiting, and otherwise the age of the last record that was read', () => {
  const { lane, progress, pass } = started();
  lane.report({ position: 3, end: 5 });
  expect(progress.lanes()[0]).toMatchObject({ lag: 2, lagMs: undefined });
  lane.report({ position: 4, receivedAt: 999_000 });
  pass(4000);
  expect(progress.lanes()[0]).toMatchObject({ lag: 1, lagMs: 5000 });
  lane.report({ position: 5 });
  expect(progress.lanes()[0]).toMatchObject({ lag: 0, lagMs: 0 });
});

test.each(clockChanges)('after the system clock is %s, a stall is reported after the time limit, and not earlier', (_, jump) => {
  const clock = moveClocks();
  const progress = new Progress({ stalledAfterMs: T });
  const lane = progress.lane({ kind: 'stream', reader: 'warehouse', of: 'sleep' }, { part: 'loading' });
  lane.report({ position: 4, end: 5, state: 'landing' });
  clock.pass(1_000);
  clock.set(jump);
  clock.pass(T - 1_001);
  expect(progress.stalls()).toEqual([]);
  clock.pass(1);
  expect(progress.stalls().map(({ reason }) => reason)).toEqual([
    'group warehouse in stream sleep has been at 4 for 60 s with 1 records waiting (landing)',
  ]);
});

/**
 * The model keeps every report with its time. A lane is stalled if, throughout the last T milliseconds, its end was
 * ahead of its position and its position did not change.
 */
test('stalls() agrees with a model that rereads the whole history of reports', () => {
  const step = fc.record({
    after: fc.constantFrom(0, 1, T / 4, T / 2, T - 1, T),
    lane: fc.constantFrom(0, 1),
    position: fc.nat({ max: 3 }),
    end: fc.nat({ max: 4 }),
  });
  let stood = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      let now = 5 * T;
      const began = now;
      const progress = new Progress({ stalledAfterMs: T, clock: () => now });
      const lanes = ['0', '1'].map((of) => progress.lane({ kind: 'stream', reader: 'g', of }, { part: 'loading' }));
      const diary: { at: number; position: number; end: number }[][] = [0, 1].map(() => [{ at: began, position: 0, end: 0 }]);
      for (const { after, lane, position, end } of steps) {
        now += after;
        lanes[lane]!.report({ position, end });
        diary[lane]!.push({ at: now, position, end });
        const standing = diary.flatMap((pages, of) => {
          const last = pages.at(-1)!;
          // The start of the period in which the position has not changed and the end has been ahead of it.
          let since = last.at;
          for (const page of pages.toReversed()) {
            if (page.end <= page.position || page.position !== last.position) break;
            since = page.at;
          }
          return last.end > last.position && now - since >= T ? [`group g in stream ${of}`] : [];
        });
        stood += standing.length;
        const found = progress.stalls().map(({ reason }) => reason.split(' has been at')[0]!);
        expect(found.sort()).toEqual(standing.sort());
      }
    }),
    { numRuns: 500 },
  );
  expect(stood).toBeGreaterThan(100);
});
