import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../machine/waiting.fixture.ts';
import { Database } from '../storage/database.ts';
import { Clock } from './clock.ts';
import { Jobs } from './jobs.ts';

const START = Date.UTC(2026, 0, 1);

function opened(path = ':memory:', runs = false) {
  const database = Database.open(path);
  const clock = new Clock(database, { start: START, runs });
  const jobs = new Jobs(database, clock);
  const done: [name: string, at: number][] = [];
  jobs.handle<string>('note', (name, now) => void done.push([name, now - START]));
  return { database, clock, jobs, done };
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

test('a job that a job adds is done on the way', async () => {
  const { jobs, done } = opened();
  jobs.handle<number>('repeat', (left, now) => {
    done.push(['repeat', now - START]);
    if (left > 0) jobs.add({ kind: 'repeat', dueAt: now + 10, subject: 's', payload: left - 1 });
  });
  jobs.add({ kind: 'repeat', dueAt: START + 10, subject: 's', payload: 3 });
  await jobs.advanceTo(START + 35);
  expect(done.map(([, at]) => at)).toEqual([10, 20, 30]);
});

test('a change that fails moves neither the state nor the clock', async () => {
  const { database, jobs, clock, done } = opened();
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
  database.close();
});

test('jobs that are done at once end together, or are all done again', async () => {
  const { database, jobs, done } = opened();
  let fails = true;
  const finish = (name: string) => () => {
    jobs.add(job(name, 10));
    if (fails && name === 'b') throw new Error('interrupted');
  };
  jobs.handle<string>('send', finish, 8);
  for (const name of ['a', 'b']) jobs.add({ kind: 'send', dueAt: START + 5, subject: 'x', payload: name });
  await expect(jobs.advanceTo(START + 20)).rejects.toThrow('interrupted');
  expect([jobs.count('x'), jobs.count('s')]).toEqual([2, 0]);
  fails = false;
  await jobs.advanceTo(START + 20);
  expect(done.map(([name]) => name)).toEqual(['a', 'b']);
  database.close();
});

test('all jobs of a subject can be cancelled', async () => {
  const { jobs, done } = opened();
  for (const one of [job('a', 1, 'x'), job('b', 2, 'y'), job('c', 3, 'x')]) jobs.add(one);
  jobs.cancel('x');
  await jobs.advanceTo(START + 10);
  expect(done).toEqual([['b', 2]]);
});

test('two advances do their jobs one after the other', async () => {
  const { jobs, clock, done } = opened();
  jobs.handle<string>('slow', async (name) => {
    await new Promise((resolve) => setImmediate(resolve));
    done.push([name, clock.now() - START]);
  });
  jobs.add({ ...job('a', 5), kind: 'slow' });
  jobs.add({ ...job('b', 15), kind: 'slow' });
  await Promise.all([jobs.advanceTo(START + 10), jobs.advanceTo(START + 20)]);
  expect(done).toEqual([
    ['a', 5],
    ['b', 15],
  ]);
});

test('a running clock does jobs by itself', async () => {
  const { jobs, done } = opened(':memory:', true);
  jobs.add(job('a', 1));
  jobs.start();
  await until('the job', () => done.length, 1);
  await jobs.close();
});

test('a job that was interrupted is done after a restart, and the time goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
  try {
    const path = join(folder, 'service.db');
    const first = opened(path);
    first.jobs.handle('fail', () => {
      throw new Error('interrupted');
    });
    first.jobs.add({ kind: 'fail', dueAt: START + 5, subject: 's', payload: null });
    await expect(first.jobs.advanceTo(START + 9)).rejects.toThrow('interrupted');
    await first.jobs.close();
    first.database.close();

    const second = opened(path);
    expect(second.clock.now()).toBe(START + 5);
    second.jobs.handle('fail', (_, now) => void second.done.push(['done', now - START]));
    await second.jobs.advanceTo(START + 9);
    expect(second.done).toEqual([['done', 5]]);
    second.database.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Jobs that end when the test says so, and then note their name. */
function held(jobs: Jobs) {
  const release = new Map<string, () => void>();
  const finished: string[] = [];
  jobs.handle<string>(
    'held',
    async (name) => {
      await new Promise<void>((resolve) => release.set(name, resolve));
      return () => void finished.push(name);
    },
    9,
  );
  for (const name of ['a', 'b', 'c']) jobs.add({ ...job(name, 0, name), kind: 'held' });
  return { release, finished };
}

test('jobs that are done at once finish in their order, whichever is done first', async () => {
  const { jobs } = opened();
  const { release, finished } = held(jobs);
  const all = jobs.settle();
  await until('the start of all three jobs', () => release.size, 3);
  for (const name of ['c', 'a', 'b']) release.get(name)!();
  await all;
  expect(finished).toEqual(['a', 'b', 'c']);
});

test('a job that is cancelled while it is done does not finish', async () => {
  const { jobs } = opened();
  const { release, finished } = held(jobs);
  const all = jobs.settle();
  await until('the start of all three jobs', () => release.size, 3);
  jobs.cancel('b');
  for (const end of release.values()) end();
  await all;
  expect(finished).toEqual(['a', 'c']);
});

test('a job whose finish fails stays, and keeps none of its changes', async () => {
  const { database, jobs, done } = opened();
  jobs.handle('failing', () => () => {
    jobs.add(job('follower', 5));
    throw new Error('cannot finish');
  });
  jobs.add({ ...job('x', 0, 'failing'), kind: 'failing' });
  await expect(jobs.settle()).rejects.toThrow('cannot finish');
  expect([jobs.count('failing'), jobs.count('s'), done]).toEqual([1, 0, []]);
  database.close();
});

test('work between jobs waits for the job that runs, and the next job waits for it', async () => {
  const { jobs } = opened();
  const { release, finished } = held(jobs);
  const all = jobs.settle();
  await until('the start of all three jobs', () => release.size, 3);
  const between = jobs.between(() => [...finished]);
  const after = jobs.settle();
  for (const end of release.values()) end();
  await all;
  expect(await between).toEqual(['a', 'b', 'c']);
  await after;
});
