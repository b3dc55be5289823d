import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '../api/server.ts';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import { actOnRequests } from '../faults/request-faults.ts';
import { logRequests } from '../requests/request-log.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import { formWith, PDF, PNG, upload } from './reports.fixture.ts';

const START = Date.UTC(2026, 0, 10, 12);
const HOUR = 3_600_000;
const UNKNOWN_ID = '2a7e51c4-0000-4000-8000-000000000001';

let service: Service;
let app: ReturnType<typeof createApi>;
let control: ReturnType<typeof createControl>;
let key: string;
let user: User;
/** A user of another team, and its key. */
let stranger: User;
let otherKey: string;
beforeEach(() => {
  service = new Service({ start: START, runs: false, seed: 1 });
  app = createApi(service.operations, service.authentication, (made) => {
    logRequests(made, service);
    actOnRequests(made, service);
  });
  control = createControl(controlOperations(service));
  const [first, second] = [service.teams.create('first'), service.teams.create('second')];
  [key, otherKey] = [first.api_key, second.api_key];
  user = service.users.create(first.team_id, 'c-1', {}) as User;
  stranger = service.users.create(second.team_id, 'c-1', {}) as User;
});
afterEach(async () => {
  await app.close();
  await control.close();
  await service.close();
});

const send = (form: FormData) => upload(app, key, form);
async function read(id: string, from = key) {
  const answer = await app.inject({ url: `/lab_report/v1/parser/job/${id}`, headers: { 'x-service-api-key': from } });
  return { status: answer.statusCode, body: answer.json() };
}
async function steer(url: string, payload: object) {
  const answer = await control.inject({ method: 'POST', url, payload });
  return { status: answer.statusCode, body: answer.json() };
}

test('two jobs at once have their own files and reviews', async () => {
  const [first, second] = await Promise.all([
    send(formWith(user.user_id, [PDF], 'True')),
    send(formWith(user.user_id.toUpperCase(), [PNG, Buffer.from('x')], 'false')),
  ]);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(first.body).toMatchObject({ status: 'started', data: null, needs_human_review: true });
  expect(await read(first.body.id)).toEqual(first);
  await service.jobs.advanceTo(START + 2 * HOUR);
  expect((await read(first.body.id)).body).toMatchObject({ status: 'completed', is_reviewed: true });
  expect((await read(second.body.id)).body).toMatchObject({
    status: 'failed',
    failure_reason: 'invalid_input',
    needs_human_review: false,
    is_reviewed: false,
  });
});

test.each([
  'application/pdf',
  'image/png',
  'IMAGE/JPEG',
  'image/jpg',
  'application/octet-stream',
  '',
  'text/plain; charset=utf-8',
])('a file may be declared as "%s"', async (type) => {
  expect((await send(formWith(user.user_id, [new File([PDF], 'a', { type })]))).status).toBe(200);
});

const empty = new File([], 'secret.pdf', { type: 'application/pdf' });
const other = (type: string) => new File([PDF], 'secret.pdf', { type });
const form = (...fields: readonly (readonly [name: string, value: string | File])[]): FormData => {
  const made = new FormData();
  for (const [name, value] of fields) made.append(name, value as string);
  return made;
};
const pdf = new File([PDF], 'secret.pdf');
const user_id = () => ['user_id', user.user_id] as const;

test.each([
  ['no fields', () => form(), [['file'], ['user_id']]],
  ['no file', () => form(user_id()), [['file']]],
  ['a file of another name', () => form(['files', pdf], user_id()), [['file']]],
  ['a text as its file', () => form(['file', 'secret'], user_id()), [['file', 0]]],
  ['an empty file', () => form(['file', empty], user_id()), [['file', 0]]],
  ['an empty file among others', () => form(['file', pdf], ['file', empty], user_id()), [['file', 1]]],
  ['an archive', () => form(['file', other('application/zip')], user_id()), [['file', 0]]],
  ['a table', () => form(['file', other('text/csv')], user_id()), [['file', 0]]],
  ['no user', () => form(['file', pdf]), [['user_id']]],
  ['a user without a UUID', () => form(['file', pdf], ['user_id', 'secret']), [['user_id']]],
  ['a user as a file', () => form(['file', pdf], ['user_id', pdf]), [['user_id']]],
  ['two users', () => form(['file', pdf], user_id(), user_id()), [['user_id']]],
  ['an unclear review', () => form(['file', pdf], user_id(), ['needs_human_review', 'secret']), [['needs_human_review']]],
  ['a number as its review', () => form(['file', pdf], user_id(), ['needs_human_review', '0']), [['needs_human_review']]],
  ['an empty review', () => form(['file', pdf], user_id(), ['needs_human_review', '']), [['needs_human_review']]],
])('a form with %s is refused, and the answer does not repeat it', async (_, made, locs) => {
  const { status, body } = await send(made());
  expect([status, body.detail.map(({ loc }: { loc: unknown }) => loc)]).toEqual([422, locs.map((loc) => ['body', ...loc])]);
  expect(JSON.stringify(body)).not.toContain('secret');
});

describe('users and teams', () => {
  test('a job cannot be created for an unknown user, a deleted one, or one of another team', async () => {
    service.users.delete(user.team_id, user.user_id);
    for (const id of [UNKNOWN_ID, user.user_id, stranger.user_id])
      expect(await send(formWith(id, [PDF]))).toEqual({ status: 404, body: { detail: 'User not found' } });
  });

  test('a job is found only by the team of its user, until the user is deleted', async () => {
    const { body } = await send(formWith(user.user_id, [PDF]));
    const unknown = { status: 404, body: { detail: 'Parsing job not found' } };
    expect((await read(body.id)).status).toBe(200);
    expect((await read(body.id.toUpperCase())).status).toBe(200);
    expect(await read(body.id, otherKey)).toEqual(unknown);
    expect(await read(UNKNOWN_ID)).toEqual(unknown);
    expect((await read('x')).status).toBe(422);
    service.users.delete(user.team_id, user.user_id);
    expect(await read(body.id)).toEqual(unknown);
    service.users.undoDeletion(user.team_id, { user_id: user.user_id });
    expect((await read(body.id)).status).toBe(200);
  });
});

describe('the control port', () => {
  const data = {
    metadata: { patient_first_name: 'A', dob: '3 May 1980', lab_name: 'A Lab' },
    results: [{ test_name: 'Appearance', value: 'clear' }],
  };

  test('a script gives the next job its results, and missing members their defaults', async () => {
    const scripted = await steer('/reports/script', { user_id: user.user_id, outcome: { kind: 'completed', data } });
    expect(scripted.status).toBe(200);
    const { body } = await send(formWith(user.user_id, [Buffer.from('x')]));
    await service.jobs.advanceTo(START + HOUR);
    expect((await read(body.id)).body).toMatchObject({
      status: 'completed',
      data: {
        metadata: { patient_first_name: 'A', patient_last_name: null, dob: '3 May 1980', gender: 'other', lab_name: 'A Lab' },
        results: [{ test_name: 'Appearance', value: 'clear', type: null, sample_type: 'unknown', loinc_matches: null }],
      },
    });
  });

  test.each(['invalid_input', 'low_quality', 'not_english', 'too_many_pages', 'processing_error'])(
    'a script lets the next job fail with %s',
    async (failure_reason) => {
      await steer('/reports/script', { user_id: user.user_id, outcome: { kind: 'failed', failure_reason } });
      const { body } = await send(formWith(user.user_id, [PDF]));
      await service.jobs.advanceTo(START + HOUR);
      expect((await read(body.id)).body).toMatchObject({ status: 'failed', failure_reason, data: null });
    },
  );

  test.each([
    ['an unknown user', 404, { user_id: UNKNOWN_ID, outcome: { kind: 'failed', failure_reason: 'low_quality' } }],
    ['no outcome', 422, { user_id: UNKNOWN_ID }],
    ['an unknown reason', 422, { user_id: UNKNOWN_ID, outcome: { kind: 'failed', failure_reason: 'x' } }],
    ['a number as a value', 422, { user_id: UNKNOWN_ID, outcome: completedWith({ test_name: 'a', value: 5 }) }],
    ['an unknown member', 422, { user_id: UNKNOWN_ID, outcome: completedWith({ test_name: 'a', value: '5', unit: 'g' }) }],
  ])('a script with %s is refused', async (_, status, body) => {
    expect((await steer('/reports/script', body)).status).toBe(status);
  });
});

function completedWith(result: object): object {
  return { kind: 'completed', data: { metadata: {}, results: [result] } };
}

test('the log has an upload without its fields, and fault rules select it', async () => {
  const match = { operation: 'create_lab_report_parser_job' };
  await steer('/faults', { on: 'operation', match, times: 1, effect: { kind: 'status', status: 503 } });
  const made = formWith(user.user_id, [new File([Buffer.from('%PDF-secret')], 'secret.pdf')]);
  expect([(await send(made)).status, (await send(made)).status]).toEqual([503, 200]);
  const logged = service.requests.after(0);
  expect(logged.map(({ method, target, status }) => [method, target, status])).toEqual([
    ['POST', '/lab_report/v1/parser/job', 503],
    ['POST', '/lab_report/v1/parser/job', 200],
  ]);
  expect(JSON.stringify(logged)).not.toMatch(/secret|PDF/);
});
