import type { OwnedShare, OwnershipOptions } from '@aorta/connectors';
import { AortaError, silentLogger } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { doJob } from './job.ts';
import { JobAssignments } from './job-assignments.ts';

/** Returns a stand-in for the consumer group, whose assignments the test controls. */
function ownership() {
  let owned: { name: string; lost: AbortSignal; abort: () => void }[] = [];
  let options: Pick<OwnershipOptions, 'onChange' | 'onRelease'> = {};
  const assignments = new JobAssignments(async (given) => {
    options = given;
    return { owned: (): readonly OwnedShare[] => owned, close: async () => {} };
  });
  return {
    assignments,
    give: (name: string) => {
      const end = new AbortController();
      owned.push({ name, lost: end.signal, abort: () => end.abort() });
      options.onChange?.();
    },
    /** Revokes all assignments as a broker does. Announces this first, unless `heard` is false, and then aborts `lost`. */
    take: async (heard = true) => {
      const lost = owned;
      owned = [];
      options.onChange?.();
      if (heard) await options.onRelease?.(lost);
      for (const { abort } of lost) abort();
    },
  };
}

/** Returns a job that runs until it must stop. It records its actions in `said`. */
function job(said: string[]) {
  return async () => {
    let works = 0;
    const worker = {
      nextAt: () => (works === 0 ? 0 : Number.POSITIVE_INFINITY),
      work: async () => {
        works += 1;
        said.push('began');
      },
      changes: () => async () => void said.push('kept 1'),
      close: async (lost: boolean) => void said.push(...(lost ? ['closed, lost'] : ['kept 2', 'closed'])),
    };
    return { workers: [worker], emitter: { durable: async () => {} }, close: async () => {} };
  };
}

test('a job saves its state and stops before another worker starts it, and runs again when it is assigned back', async () => {
  const said: string[] = [];
  const { assignments, give, take: takeAway } = ownership();
  const stop = new AbortController();
  const life = () => doJob({ name: 'users', open: job(said), assignments, once: false }, stop.signal);
  const doing = life();
  give('completeness');
  await new Promise(setImmediate);
  expect(said).toEqual([]);
  give('users');
  await until('the first save', () => said, ['began', 'kept 1']);
  await takeAway();
  expect(said).toEqual(['began', 'kept 1', 'kept 2', 'closed']);
  give('users');
  await until('the save of the second run', () => said.slice(4), ['began', 'kept 1']);
  stop.abort();
  await doing;
  expect(said.slice(4)).toEqual(['began', 'kept 1', 'kept 2', 'closed']);
});

test('a worker that lost its assignment saves no state', async () => {
  const said: string[] = [];
  const { assignments, give, take: takeAway } = ownership();
  give('users');
  const stop = new AbortController();
  const doing = doJob({ name: 'users', open: job(said), assignments, once: false }, stop.signal);
  await until('the first save', () => said, ['began', 'kept 1']);
  await takeAway(false);
  await until('the end of the worker', () => said, ['began', 'kept 1', 'closed, lost']);
  stop.abort();
  await doing;
});

test('a job stops if another worker has taken over its state, and runs again only after a new assignment', async () => {
  const said: string[] = [];
  const { assignments, give, take: takeAway } = ownership();
  const refused = new AortaError({ code: 'AORTA-STREAM-STATE-TAKEN', class: 'transient', message: '', remedy: '', details: {} });
  let runs = 0;
  const open = async () => {
    const opened = await job(said)();
    if (++runs === 1) opened.workers[0]!.changes = () => () => Promise.reject(refused);
    return opened;
  };
  const logged: unknown[] = [];
  const logger = { ...silentLogger, warn: (message: string, fields?: object) => void logged.push({ ...fields, message }) };
  const stop = new AbortController();
  give('users');
  const doing = doJob({ name: 'users', open, assignments, once: false, logger }, stop.signal);
  await until('the end of the first run', () => said, ['began', 'closed, lost']);
  // The consumer group does not know yet that this process has lost the job.
  await new Promise(setImmediate);
  expect([runs, logged]).toEqual([1, [expect.objectContaining({ message: 'job stopped', job: 'users', code: refused.code })]]);
  await takeAway(false);
  give('users');
  await until('the save of the second run', () => said.slice(2), ['began', 'kept 1']);
  stop.abort();
  await doing;
});

test('a run with --once skips jobs assigned to other workers, and a single worker runs every job', async () => {
  const said: string[] = [];
  const { assignments } = ownership();
  const { signal } = new AbortController();
  await doJob({ name: 'users', open: job(said), assignments, once: true }, signal);
  expect(said).toEqual([]);
  const stopped = new AbortController();
  const alone = doJob({ name: 'users', open: job(said), assignments: undefined, once: false }, stopped.signal);
  await until('the first save', () => said.at(-1), 'kept 1');
  stopped.abort();
  await alone;
  expect(said.at(-1)).toBe('closed');
});

test('a job that waits for its assignment fails when the process has left the consumer group', async () => {
  let fail: () => void = () => {};
  let failure: Error | undefined;
  const assignments = new JobAssignments(async ({ onChange }) => {
    fail = () => {
      failure = new Error('ended');
      onChange?.();
    };
    return {
      owned: () => {
        if (failure !== undefined) throw failure;
        return [];
      },
      close: async () => {},
    };
  });
  const waiting = assignments.next('users', new AbortController().signal);
  await new Promise(setImmediate);
  fail();
  await expect(waiting).rejects.toThrow('ended');
});
