import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { until } from '../../machine/waiting.fixture.ts';
import { Database } from '../storage/database.ts';
import { Clock } from './clock.ts';
import { Jobs } from './jobs.ts';

const START = Date.UTC(2026, 0, 1);

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

function opened(path = ':memory:', runs = false) {
  const database = Database.open(path);
  const clock = new Clock(database, { start: START, runs });
  const jobs = new Jobs(database, clock);
  const done: [name: string, at: number][] = [];
  jobs.change<string>('note', (name, now) => void done.push([name, now - START]));
  const close = async () => {
    await jobs.close();
    database.close();
  };
  ended.push(() => close().catch(() => {}));
  return { clock, jobs, done, close };
}

const job = (payload: string, after: number, subject = 's') => ({ kind: 'note', dueAt: START + after, subject, payload });

test('jobs are done in the order of their time, each at its own time', async () => {
  const { clock, jobs, done } = opened();
  for (const one of [job('c', 30), job('a', 10), job('b', 10), job('late', 99)]) jobs.add(one);
  await jobs.advanceTo(START + 50);
  expect(done).toEqual([
    ['a', 10],
    ['b', 10],
    ['c', 30],
  ]);
  expect(clock.now()).toBe(START + 50);
});

test('a job may replace the other jobs of its subject', async () => {
  const { jobs, done } = opened();
  jobs.change<string>('replace', () => {
    jobs.cancel('s');
    jobs.add(job('new', 30));
  });
  jobs.add({ ...job('', 10), kind: 'replace' });
  jobs.add(job('old', 20));
  await jobs.advanceTo(START + 50);
  expect(done).toEqual([['new', 30]]);
});

test('a job that a job adds is done on the way', async () => {
  const { jobs, done } = opened();
  jobs.change<number>('repeat', (left, now) => {
    done.push(['repeat', now - START]);
    if (left > 0) jobs.add({ kind: 'repeat', dueAt: now + 10, subject: 's', payload: left - 1 });
  });
  jobs.add({ kind: 'repeat', dueAt: START + 10, subject: 's', payload: 3 });
  await jobs.advanceTo(START + 35);
  expect(done.map(([, at]) => at)).toEqual([10, 20, 30]);
});

test('a change that fails moves neither the state nor the clock', async () => {
  const { jobs, clock, done } = opened();
  let fails = true;
  jobs.change('change', (_, now) => {
    jobs.add(job('added', 10));
    if (fails) throw new Error('interrupted');
    done.push(['changed', now - START]);
  });
  jobs.add({ kind: 'change', dueAt: START + 5, subject: 'x', payload: null });
  await expect(jobs.advanceTo(START + 20)).rejects.toThrow('interrupted');
  expect([clock.now() - START, jobs.count('x'), jobs.count('s')]).toEqual([0, 1, 0]);
  fails = false;
  await jobs.advanceTo(START + 20);
  expect(done).toEqual([
    ['changed', 5],
    ['added', 10],
  ]);
});

test('all jobs of a subject can be cancelled', async () => {
  const { jobs, done } = opened();
  for (const one of [job('a', 1, 'x'), job('b', 2, 'y'), job('c', 3, 'x')]) jobs.add(one);
  jobs.cancel('x');
  await jobs.advanceTo(START + 10);
  expect(done).toEqual([['b', 2]]);
});

test('two advances do their jobs one after the other', async () => {
  const { jobs, done } = opened();
  for (const one of [job('a', 5), job('b', 15)]) jobs.add(one);
  await Promise.all([jobs.advanceTo(START + 10), jobs.advanceTo(START + 20)]);
  expect(done).toEqual([
    ['a', 5],
    ['b', 15],
  ]);
});

test('a running clock does jobs by itself', async () => {
  const { jobs, done } = opened(':memory:', true);
  jobs.add(job('a', 1));
  jobs.wake();
  await until('the job', () => done.length, 1);
  await jobs.close();
});

test('a job that was interrupted is done after a restart, and the time goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
  try {
    const path = join(folder, 'service.db');
    const first = opened(path);
    first.jobs.change('fail', () => {
      throw new Error('interrupted');
    });
    first.jobs.add({ kind: 'fail', dueAt: START + 5, subject: 's', payload: null });
    await expect(first.jobs.advanceTo(START + 9)).rejects.toThrow('interrupted');
    await first.close();

    const second = opened(path);
    expect(second.clock.now()).toBe(START);
    second.jobs.change('fail', (_, now) => void second.done.push(['done', now - START]));
    await second.jobs.advanceTo(START + 9);
    expect(second.done).toEqual([['done', 5]]);
    await second.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('jobs that were done before one that fails stay done', async () => {
  const { jobs, done } = opened();
  jobs.change('failing', () => {
    jobs.add(job('follower', 5));
    throw new Error('cannot be done');
  });
  jobs.add(job('before', 1));
  jobs.add({ ...job('x', 2, 'failing'), kind: 'failing' });
  await expect(jobs.advanceTo(START + 9)).rejects.toThrow('cannot be done');
  expect([jobs.count('failing'), jobs.count('s'), done]).toEqual([1, 0, [['before', 1]]]);
});

test('the event loop gets its turns while the clock advances', async () => {
  const { jobs } = opened();
  let isOver = false;
  let turns = 0;
  jobs.change<number>('repeat', (left, now) => {
    if (left > 0) jobs.add({ kind: 'repeat', dueAt: now + 10, subject: 's', payload: left - 1 });
  });
  // Each job lasts longer than a slice of jobs.
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 60));
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  jobs.add({ kind: 'repeat', dueAt: START + 10, subject: 's', payload: 20 });
  try {
    await jobs.advanceTo(START + 1000);
  } finally {
    vi.restoreAllMocks();
    isOver = true;
  }
  expect(turns).toBeGreaterThanOrEqual(20);
});

test('an advance that is interrupted by the end of the service rejects, and the rest of the jobs stay', async () => {
  const { jobs } = opened();
  jobs.change<null>('endless', (_, now) => jobs.add({ kind: 'endless', dueAt: now + 1, subject: 's', payload: null }));
  jobs.add({ kind: 'endless', dueAt: START, subject: 's', payload: null });
  const advance = jobs.advanceTo(START + 1e12);
  const ended = expect(advance).rejects.toThrow('closed');
  await new Promise((resolve) => setImmediate(resolve));
  await jobs.close();
  await ended;
  expect(jobs.count('s')).toBe(1);
});
