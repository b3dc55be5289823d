import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepEvents } from '../events/kept-events.fixture.ts';
import { Service, type ServiceOptions } from '../service.ts';
import type { User } from '../users/users.ts';
import { JPEG, PDF, PNG } from './reports.fixture.ts';

const START = Date.UTC(2026, 0, 10, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let folder: string;
let service: Service;
let user: User;
const closing: Service[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-reports-'));
  ({ service, user } = begin());
});
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

function begin(options: ServiceOptions = {}): { service: Service; user: User } {
  const made = new Service({ start: START, runs: false, seed: 1, ...options });
  closing.push(made);
  const { team_id } = made.teams.create('first');
  keepEvents(made, team_id);
  return { service: made, user: made.users.create(team_id, 'c-1', {}) as User };
}

interface Told {
  readonly at: number;
  readonly type: string;
  readonly status: string;
  readonly is_reviewed: boolean;
  readonly body: { readonly event_type: string; readonly data: object };
}

/** Returns the events about jobs so far. */
function told(id?: string, from = service): Told[] {
  return from.outbox
    .after(user.team_id, 0, 1_000)
    .map(({ created_at, body }) => ({ at: created_at, body: JSON.parse(body) }))
    .filter(({ body }) => id === undefined || body.data.id === id)
    .map(({ at, body }) => ({ at, type: body.event_type, status: body.data.status, is_reviewed: body.data.is_reviewed, body }));
}

const find = (id: string, from = service) => from.reports.find(user.team_id, id);
const CREATED = 'lab_report.parsing_job.created';
const UPDATED = 'lab_report.parsing_job.updated';

test('a job starts without results, and is completed after one to two minutes', async () => {
  const job = service.reports.create(user, [PDF], false);
  expect(job).toEqual({
    id: expect.any(String),
    status: 'started',
    failure_reason: null,
    data: null,
    needs_human_review: false,
    is_reviewed: false,
  });
  await service.jobs.advanceTo(START + MINUTE - 1);
  expect(find(job.id)).toEqual(job);
  await service.jobs.advanceTo(START + 2 * MINUTE);
  const done = find(job.id)!;
  expect(done).toEqual({ ...job, status: 'completed', data: { metadata: expect.any(Object), results: expect.any(Array) } });
  await service.jobs.advanceTo(START + 5 * DAY);
  expect(find(job.id)).toEqual(done);

  const events = told();
  expect(events).toMatchObject([
    { type: CREATED, at: START },
    { type: UPDATED, at: expect.any(Number) },
  ]);
  const { client_user_id, team_id, user_id } = user;
  expect(events.map(({ body }) => body)).toEqual([
    { event_type: CREATED, team_id, user_id, client_user_id, data: job },
    { event_type: UPDATED, team_id, user_id, client_user_id, data: done },
  ]);
});

test('jobs of one moment end at different times', async () => {
  const ids = Array.from({ length: 100 }, () => service.reports.create(user, [PDF], false).id);
  expect(new Set(ids).size).toBe(100);
  await service.jobs.advanceTo(START + HOUR);
  const ends = told()
    .filter(({ type }) => type === UPDATED)
    .map(({ at }) => at - START);
  expect(ends).toHaveLength(100);
  expect(new Set(ends).size).toBeGreaterThan(90);
  for (const end of ends) expect([end >= MINUTE, end <= 2 * MINUTE]).toEqual([true, true]);
});

test('a job with a review has its results first, and is reviewed an hour later', async () => {
  const { id } = service.reports.create(user, [PDF], true);
  await service.jobs.advanceTo(START + 2 * MINUTE);
  const unreviewed = find(id)!;
  expect(unreviewed).toMatchObject({ status: 'completed', needs_human_review: true, is_reviewed: false });
  await service.jobs.advanceTo(START + 2 * HOUR);
  expect(find(id)).toEqual({ ...unreviewed, is_reviewed: true });
  const events = told(id);
  expect(events).toMatchObject([
    { type: CREATED, status: 'started', is_reviewed: false },
    { type: UPDATED, status: 'completed', is_reviewed: false },
    { type: UPDATED, status: 'completed', is_reviewed: true },
  ]);
  expect(events[2]!.at - events[1]!.at).toBe(HOUR);
});

test('a file of another kind makes the job fail, and a failed job is not reviewed', async () => {
  for (const file of ['report', '%PDF', '%pdf-1.7', ' %PDF-1.7', '\u0089PNG\r\n\u001a\n']) {
    const { id } = service.reports.create(user, [PDF, Buffer.from(file)], true);
    await service.jobs.advanceTo(service.clock.now() + 2 * HOUR);
    expect(find(id)).toEqual({
      id,
      status: 'failed',
      failure_reason: 'invalid_input',
      data: null,
      needs_human_review: true,
      is_reviewed: false,
    });
    expect(told(id)).toMatchObject([
      { type: CREATED, status: 'started' },
      { type: UPDATED, status: 'failed' },
    ]);
  }
});

test('the files decide the results, in their order', async () => {
  const other = service.users.create(user.team_id, 'c-2', {}) as User;
  const sets = [[PDF], [PDF], [PNG], [JPEG], [PDF, PNG], [PNG, PDF], [Buffer.concat([PDF, PNG])]];
  const ids = sets.map((files, index) => service.reports.create(index === 1 ? other : user, files, false).id);
  await service.jobs.advanceTo(START + HOUR);
  const [first, second, ...rest] = ids.map((id) => JSON.stringify(find(id)!.data));
  expect(second).toBe(first);
  expect(new Set([first, ...rest]).size).toBe(6);
});

test('a script decides how the next job of its user ends, whatever the file is', async () => {
  const other = service.users.create(user.team_id, 'c-2', {}) as User;
  service.reports.script(user.user_id, { kind: 'failed', failure_reason: 'too_many_pages' });
  service.reports.script(user.user_id, { kind: 'failed', failure_reason: 'not_english' });
  const ids = [other, user, user].map((one) => service.reports.create(one, [PDF], false).id);
  await service.jobs.advanceTo(START + HOUR);
  expect(ids.map((id) => [find(id)!.status, find(id)!.failure_reason])).toEqual([
    ['completed', null],
    // The later script replaced the earlier one.
    ['failed', 'not_english'],
    ['completed', null],
  ]);
});

test('a job that ends while its user is deleted sends no event, and has ended if the deletion is undone', async () => {
  const { id } = service.reports.create(user, [PDF], true);
  service.users.delete(user.team_id, user.user_id);
  expect(find(id)).toBeUndefined();
  await service.jobs.advanceTo(START + DAY);
  expect(told().map(({ type }) => type)).toEqual([CREATED]);
  service.users.undoDeletion(user.team_id, { user_id: user.user_id });
  expect(find(id)).toMatchObject({ status: 'completed', is_reviewed: true });
});

test('the jobs and the script of a user are removed with the user, 7 days after the deletion', async () => {
  const path = join(folder, 'state.sqlite');
  const { service: kept, user: owner } = begin({ path });
  kept.reports.create(owner, [PDF], true);
  kept.reports.script(owner.user_id, { kind: 'failed', failure_reason: 'low_quality' });
  const rows = () => {
    const file = new DatabaseSync(path, { readOnly: true });
    const counts = ['report_jobs', 'report_scripts'].map((table) => file.prepare(`select count(*) as n from ${table}`).get()!.n);
    file.close();
    return counts;
  };
  kept.users.delete(owner.team_id, owner.user_id);
  await kept.jobs.advanceTo(START + 7 * DAY - 1);
  expect(rows()).toEqual([1, 1]);
  await kept.jobs.advanceTo(START + 7 * DAY);
  expect(rows()).toEqual([0, 0]);
});

test('after a restart, jobs end and are reviewed as without it, and scripts are kept', async () => {
  const results: object[] = [];
  for (const [name, restarts] of [
    ['one', []],
    ['two', [1, 90_000]],
    ['three', [MINUTE, HOUR, 2 * HOUR]],
  ] as const) {
    const path = join(folder, `${name}.sqlite`);
    let { service: running, user: owner } = begin({ path });
    user = owner;
    const ids = [true, false].map((review) => running.reports.create(owner, [PDF], review).id);
    running.reports.script(owner.user_id, { kind: 'failed', failure_reason: 'processing_error' });
    for (const after of restarts) {
      await running.jobs.advanceTo(START + after);
      await running.close();
      closing.splice(closing.indexOf(running), 1);
      running = new Service({ path });
      closing.push(running);
    }
    await running.jobs.advanceTo(START + 3 * HOUR);
    owner = running.users.any(owner.user_id)!;
    ids.push(running.reports.create(owner, [PDF], true).id);
    await running.jobs.advanceTo(START + 6 * HOUR);
    results.push({ jobs: ids.map((id) => find(id, running)), events: told(undefined, running) });
  }
  expect(results[0]).toMatchObject({
    jobs: [{ is_reviewed: true }, { is_reviewed: false }, { failure_reason: 'processing_error' }],
  });
  expect(results[1]).toEqual(results[0]);
  expect(results[2]).toEqual(results[0]);
});

test('equal calls to services with the same seed give equal jobs and events', async () => {
  const [first, second] = await Promise.all(
    [begin(), begin()].map(async ({ service: one, user: owner }) => {
      for (const file of [PDF, JPEG, Buffer.from('x')]) one.reports.create(owner, [file], true);
      await one.jobs.advanceTo(START + 2 * HOUR);
      return one.outbox.after(owner.team_id, 0, 100);
    }),
  );
  expect(first).toHaveLength(3 * 3 - 1);
  expect(second).toEqual(first);
});

test('the state has nothing of the files', async () => {
  const path = join(folder, 'state.sqlite');
  const { service: kept, user: owner } = begin({ path });
  kept.reports.create(owner, [Buffer.from('%PDF-1.7 Jane Person')], true);
  await kept.jobs.advanceTo(START + 2 * HOUR);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  expect(files.some((bytes) => bytes.includes('lab_report.parsing_job.updated'))).toBe(true);
  expect(files.some((bytes) => bytes.includes('Jane Person'))).toBe(false);
});
