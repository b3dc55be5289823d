import { describe, expect, test } from 'vitest';
import { after, clock, patienceMs, work } from './goal.ts';
import { measured } from './measured.ts';
import { isMissed, isTooLong, type Silence, table } from './report.ts';
import { Turns } from './turns.ts';

/** Returns a silence of this many milliseconds, with a goal of 3,000 ms. */
const silence = (silentMs: number, alone: boolean): Silence => ({
  fault: 'reset',
  seed: 1,
  partition: '0',
  lastedMs: 0,
  goal: work(3000),
  stalledMs: 0,
  slowness: 1,
  silentMs,
  alone,
});

/** Runs a case. The silence lasts `silentMs[0]` in the first run, `silentMs[1]` in the second run, and so on. */
async function runs(...silentMs: number[]): Promise<{ silences: Silence[]; failed: unknown }> {
  const silences: Silence[] = [];
  const failed = await measured(new Turns(), async (alone) => {
    const one = silence(silentMs[silences.length]!, alone);
    silences.push(one);
    return [one].filter(isTooLong);
  }).catch((error: unknown) => error);
  return { silences, failed };
}

describe('a case with a goal of three seconds', () => {
  test('runs once if it meets the goal', async () => {
    const { silences, failed } = await runs(2999);
    expect(failed).toBeUndefined();
    expect(silences.map(({ alone }) => alone)).toEqual([false]);
  });

  test('runs again, alone, if it misses the goal, and passes if it then meets the goal', async () => {
    const { silences, failed } = await runs(3001, 2999);
    expect(failed).toBeUndefined();
    expect(silences.map(({ alone }) => alone)).toEqual([false, true]);
    expect(silences.map(isMissed)).toEqual([false, false]);
    const rows = table(silences).filter((line) => line.startsWith('| reset'));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^\| reset \| 1 \| 3\.0 .* \| \*\*missed 1\*\* \|$/);
    expect(rows[1]).toMatch(/^\| reset, again alone \| 1 \| 3\.0 .* \| met \|$/);
  });

  test('fails if it misses the goal twice, and does not run a third time', async () => {
    const { silences, failed } = await runs(3001, 4000);
    expect(String(failed)).toContain('reset: partition 0 was silent for 4000 ms');
    expect(silences.map(isMissed)).toEqual([false, true]);
  });
});

test('a case that runs alone waits for the running cases, and the next cases wait for it', async () => {
  const turns = new Turns();
  const happened: string[] = [];
  const gates = new Map<string, () => void>();
  const act = (name: string) => async () => {
    happened.push(`${name} begins`);
    await new Promise<void>((resolve) => gates.set(name, resolve));
    happened.push(`${name} ends`);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const all = [turns.beside(act('first')), turns.beside(act('second'))];
  await settled();
  all.push(turns.alone(act('alone')), turns.beside(act('third')));
  for (const name of ['first', 'second', 'alone', 'third']) {
    await settled();
    gates.get(name)!();
    gates.delete(name);
    await settled();
  }
  await Promise.all(all);
  expect(happened).toEqual([
    'first begins',
    'second begins',
    'first ends',
    'second ends',
    'alone begins',
    'alone ends',
    'third begins',
    'third ends',
  ]);
});

test.each([
  ['a timeout of 120 s', clock(120_000), 1],
  ['work of 8 s on a machine that is 20 times slower', work(8000), 20],
  ['a timeout and work', after(30_000, work(3000)), 3],
])('if the goal is %s, the test waits at least a minute longer, so that it can measure a missed goal', (_, goal, slowness) => {
  const allowedMs = goal.clockMs + slowness * goal.workMs;
  expect(patienceMs(goal, slowness)).toBeGreaterThanOrEqual(allowedMs + 60_000);
});
