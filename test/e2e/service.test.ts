import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer, type Json, type Rule } from '../reference-service/control.ts';
import { addOrder, completeOrder, type Order, type Results } from '../reference-service/orders.ts';
import { addPerson, summaryId } from '../reference-service/person.ts';
import { addUser, call, deleteUser, type ServedTeam, serveTeam } from '../reference-service/team.ts';
import { addWorkoutStream, BIG_POINTS, bigStream } from '../reference-service/workout-streams.ts';
import { aorta } from './command.ts';

/** Runs commands against the reference service, and tests what they fetch from its API. */

/** Ids of workouts. There is no stream of `gone`, and the service refuses to return the one of `broken`. */
const workouts = {
  ragged: '10000000-0000-4000-8000-000000000000',
  empty: '20000000-0000-4000-8000-000000000000',
  big: '30000000-0000-4000-8000-000000000000',
  gone: '40000000-0000-4000-8000-000000000000',
  broken: '50000000-0000-4000-8000-000000000000',
};
const SLEEP = summaryId('sleep', 0);
const WORKOUT = summaryId('workouts', 0);

const folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
let service: ServedTeam;
let user: string;
let other: string;

interface Named {
  readonly id: number | string;
  readonly name: string;
}

/** The service's answers about its laboratory. The completed order has results, and the open one has none. */
interface Lab {
  readonly completed: Order;
  readonly open: Order;
  readonly results: Results;
  readonly labTests: { readonly data: readonly Named[] };
  readonly pages: readonly { readonly markers: readonly Named[]; readonly total: number; readonly page: number }[];
}
let lab: Lab;

/** With fault rules, the service returns only this many markers on a page, fewer than Aorta asks for. */
const PAGE = 50;

async function orderLabTests(): Promise<Lab> {
  const [completed, open] = [await addOrder(service, user), await addOrder(service, user)];
  await completeOrder(service, completed);
  const path = `/v3/lab_tests/markers?size=${PAGE}`;
  return {
    completed: await call(service, `/v3/order/${completed}`),
    open: await call(service, `/v3/order/${open}`),
    results: await call(service, `/v3/order/${completed}/result`),
    labTests: await call(service, '/v3/lab_test?lab_test_limit=100'),
    pages: [await call(service, path), await call(service, `${path}&page=2`)],
  };
}

/** Invented counts of sent objects. One of them is for a resource that does not exist. */
const odd = {
  oura: { sleep: { sent_count: 1, oldest_data: '2026-01-01T00:00:00+00:00', newest_data: '2026-01-10T00:00:00+00:00' } },
  fitbit: {
    body_weight: { sent_count: 12, oldest_data: '2026-01-01T00:00:00+00:00', newest_data: '2026-01-10T00:00:00+00:00' },
    telepathy: { sent_count: 3 },
    order: { sent_count: 2 },
  },
};

/** The rules for faults: odd counts, small pages, odd cursors, and these markers without an id. */
const faults = (...nameless: readonly Json[]): Rule[] => [
  // In the service's own example, the cursor of the last page is the string `None`.
  answer({ operation: 'introspect_resources' }, { data: [{ user_id: user, provider: odd }], next_cursor: 'None', next: 'None' }),
  ...lab.pages.map(({ markers, total, page, ...more }) =>
    answer(
      { operation: 'list_markers', query: { page: String(page) } },
      { ...more, page, total: total + nameless.length, markers: page === lab.pages.length ? [...markers, ...nameless] : markers },
    ),
  ),
  answer({ operation: 'list_lab_tests' }, { ...lab.labTests, next_cursor: 'None' }),
];

const event = (offset: number, type: string, data: object): string =>
  JSON.stringify({
    source: 'hub',
    partition: 0,
    offset,
    received_at: `2026-01-11T00:00:${String(offset).padStart(2, '0')}Z`,
    headers: {},
    body: { event_type: type, user_id: user, data },
  });
const announce = (offset: number, workout: keyof typeof workouts): string =>
  event(offset, 'daily.data.workout_stream.created', {
    workout_id: workouts[workout],
    provider_id: 'p',
    source: { provider: 'oura' },
  });

function configure(key: string): void {
  writeFileSync(
    join(folder, 'aorta.yaml'),
    `sources: [{ type: files, paths: [events.ndjson] }]
service: { base_url: "${service.url}", key: ${key}, key_header: X-Vital-Api-Key, deadline_s: 10, deadline_total_s: 20 }
`,
  );
}

beforeAll(async () => {
  // The service's clock is far behind. By the clock of `aorta`, a deletion can therefore no longer be undone. Even so, the latest
  // answer of the service decides whether a user exists.
  service = await serveTeam({ start: Date.UTC(2026, 0, 11), seed: 1 });
  user = await addPerson(service, { clientUserId: 'planted-client-id', from: '2026-01-01', days: 10 });
  other = await addUser(service, 'planted-other');
  const streams = {
    ragged: {
      time: [1_767_225_600, 162_662_560, 1_767_225_602],
      heartrate: [100, null],
      lat: [52.5, 52.5, 52.5, 52.5],
      power: [],
    },
    empty: { time: [], heartrate: null },
    big: bigStream(),
  };
  for (const [name, stream] of Object.entries(streams))
    await addWorkoutStream(service, user, workouts[name as keyof typeof streams], stream);
  lab = await orderLabTests();
  const broken = {
    match: { path: `/v2/timeseries/workouts/${workouts.broken}/stream` },
    effect: { kind: 'status', status: 400 },
  };
  await service.control.plan([...faults(), broken]);
  configure(service.key);
  writeFileSync(
    join(folder, 'events.ndjson'),
    [
      announce(1, 'ragged'),
      announce(2, 'empty'),
      announce(3, 'big'),
      announce(4, 'gone'),
      announce(5, 'broken'),
      event(6, 'labtest.order.updated', lab.completed),
      event(7, 'labtest.order.created', lab.open),
      event(8, 'daily.data.sleep.created', { id: SLEEP, source: { provider: 'oura' } }),
    ].join('\n'),
  );
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const written: string[] = [];
async function run(...words: string[]): Promise<{ code: number | null; stdout: string }> {
  const { code, stdout, stderr } = await aorta(folder, words);
  written.push(stderr);
  return { code, stdout };
}

async function runOnce(): Promise<void> {
  const { code } = await run('run', '--once');
  // If the exit code is unexpected, the assertion shows the error output.
  expect({ code, said: code === 0 ? '' : written.at(-1) }).toEqual({ code: 0, said: '' });
}

async function select(sql: string): Promise<unknown[]> {
  const { stdout } = await run('query', sql, '--json');
  return JSON.parse(stdout) as unknown[];
}

test('aorta run fetches the data that events announce, and data for which there are no events', async () => {
  const own = service.requests().length;
  await runOnce();
  expect(await select('select workout_id, len(points) as points, uneven from workout_streams order by 1')).toEqual([
    { workout_id: workouts.ragged, points: 4, uneven: true },
    { workout_id: workouts.empty, points: 0, uneven: false },
    { workout_id: workouts.big, points: BIG_POINTS, uneven: false },
  ]);
  expect(
    await select(
      `select ordinal, point_at, heart_rate_bpm, latitude_deg from workout_streams_points where workout_id = '${workouts.ragged}' order by 1`,
    ),
  ).toEqual([
    { ordinal: 1, point_at: '2026-01-01T00:00:00Z', heart_rate_bpm: 100, latitude_deg: 52.5 },
    { ordinal: 2, point_at: null, heart_rate_bpm: null, latitude_deg: 52.5 },
    { ordinal: 3, point_at: '2026-01-01T00:00:02Z', heart_rate_bpm: null, latitude_deg: 52.5 },
    { ordinal: 4, point_at: null, heart_rate_bpm: null, latitude_deg: 52.5 },
  ]);
  expect(await select('select id, last_event_status from lab_orders order by 2')).toEqual(
    [lab.completed, lab.open].map(({ id, last_event }) => ({ id, last_event_status: last_event.status })),
  );
  const { metadata, results } = lab.results;
  const asNumber = (text: string): number | null => (text === '' || Number.isNaN(Number(text)) ? null : Number(text));
  const items = results.map(({ name, result, loinc }, index) => {
    const [, sign = null, rest] = /^([<>])?(.*)$/.exec(result)!;
    const number = { result, result_number: asNumber(rest!), result_sign: sign };
    return { order_id: lab.completed.id, ordinal: index + 1, name, ...number, loinc };
  });
  expect(items).toContainEqual(expect.objectContaining({ result_sign: '<', result_number: expect.any(Number) }));
  expect(
    await select('select order_id, ordinal, name, result, result_number, result_sign, loinc from lab_results_items order by 2'),
  ).toEqual(items);
  expect(metadata['clia_#']).not.toBeNull();
  expect(await select('select status, interpretation, laboratory, clia_number from lab_results')).toEqual([
    {
      status: metadata.status,
      interpretation: metadata.interpretation,
      laboratory: metadata.laboratory,
      clia_number: metadata['clia_#'],
    },
  ]);
  expect(service.asked()).not.toContain(`/v3/order/${lab.open.id}/result`);
  const markers = lab.pages.flatMap((page) => page.markers);
  expect(await select('select marker_id, name from lab_markers order by marker_id::integer')).toEqual(
    markers.map(({ id, name }) => ({ marker_id: String(id), name })),
  );
  expect(await select('select id, name from lab_tests order by id')).toEqual(
    lab.labTests.data.map(({ id, name }) => ({ id, name })).sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  expect(await select('select user_id, state, returned from user_states order by 1')).toEqual(
    [user, other].sort().map((user_id) => ({ user_id, state: 'present', returned: false })),
  );
  expect(await select('select provider, status from user_connections order by 1')).toEqual([
    { provider: 'fitbit', status: 'error' },
    { provider: 'oura', status: 'connected' },
  ]);
  expect(await select('select count(*) as n from deliveries where dead_letter_reason is not null')).toEqual([{ n: 0 }]);
  expect(
    new Set(
      service
        .requests()
        .slice(own)
        .map(({ key_header }) => key_header),
    ),
  ).toEqual(new Set(['x-vital-api-key']));
});

test('identifiers of users and patients are not landed', async () => {
  const columns = (await select(
    "select table_name || '.' || column_name as name from information_schema.columns where table_name in ('users', 'lab_results', 'user_connections')",
  )) as { name: string }[];
  const names = columns.map(({ name }) => name);
  expect(names).toContain('users.user_id');
  expect(names).toContain('users.fallback_time_zone');
  expect(await select('select count(*) as n from users where client_user_id is null')).toEqual([{ n: 0 }]);
  for (const withheld of [
    'users.fallback_birth_date',
    'lab_results.patient',
    'lab_results.specimen_number',
    'lab_results.ordered_by',
    'lab_results.extra',
  ])
    expect(names).not.toContain(withheld);
  // The member `provider` of a lab result names a physician, so `deliveries` must not contain it.
  expect(await select("select distinct provider from deliveries where event_type like 'service.lab_result%'")).toEqual([
    { provider: null },
  ]);
});

test('status suggests a backfill that closes a gap, and running the backfill closes the gap', async () => {
  const gaps = async (): Promise<{ with_gaps: number; gaps: { resource: string; missing: number; backfill: string | null }[] }> =>
    JSON.parse((await run('status', '--completeness', '--json')).stdout);
  const before = await gaps();
  expect(before).toMatchObject({
    compared: 3,
    not_compared: 1,
    with_gaps: 2,
    gaps: [
      {
        provider: 'fitbit',
        resource: 'body_weight',
        sent: 12,
        received: 0,
        missing: 12,
        backfill: `aorta backfill --user ${user} --from 2026-01-01 --to 2026-01-10 --resource weight`,
      },
      { resource: 'telepathy', missing: 3, backfill: null },
    ],
  });
  const { stdout: printed } = await run('status', '--completeness');
  expect(printed).toContain(before.gaps[0]!.backfill);
  expect(printed).toMatch(/^2 gaps in 3 resources .* 1 other cannot be counted/);
  const words = before.gaps[0]!.backfill!.split(' ').slice(1);
  expect((await run(...words)).code).toBe(0);
  expect((await gaps()).gaps[0]).toMatchObject({ resource: 'telepathy' });
  const closed = (): Promise<unknown[]> =>
    select("select received, backfilled, closed_by_backfill, missing from completeness where resource = 'body_weight'");
  expect(await closed()).toEqual([{ received: 0, backfilled: 10, closed_by_backfill: 10, missing: 2 }]);
  // A second backfill of some of these days closes no further gap.
  const some = ['--user', user, '--from', '2026-01-04', '--resource', 'weight', '--window-days', '2'];
  expect((await run('backfill', ...some)).code).toBe(0);
  expect(await closed()).toEqual([{ received: 0, backfilled: 10, closed_by_backfill: 10, missing: 2 }]);
  expect(await select("select from_day, objects from backfills where provider = 'fitbit' order by 1")).toEqual([
    { from_day: '2026-01-01', objects: 10 },
    { from_day: '2026-01-04', objects: 7 },
  ]);
});

test('a backfill of several users reports the position of a deleted user in the request, and fetches the data of the other users', async () => {
  const gone = '99999999-2222-4333-8444-555555555555';
  const asked = ['backfill', '--user', gone, user, '--from', '2026-01-01', '--to', '2026-01-10'];
  const { code, stdout } = await run(...asked, '--resource', 'activity', 'workout_stream', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ tables: { activity: 10 }, not_fetched: [{ user: 1, code: 'AORTA-SERVICE-GONE' }] });
  expect(written.at(-1)).toMatch(/^User 1 of 2: aorta: .*AORTA-SERVICE-GONE/);
});

test('a deleted user gets the state `missing`, and the state `present` after the deletion is undone', async () => {
  const before = service.asked().length;
  await addWorkoutStream(service, user, WORKOUT, { time: [1_767_225_600] });
  // Lists these users and one without a valid id, and a marker without an id.
  const listOdd = async (...ids: string[]): Promise<void> => {
    const users: Json[] = [];
    for (const id of ids) users.push(await call(service, `/v2/user/${id}`));
    users.push({ user_id: 7, client_user_id: 'planted-odd' });
    const list = answer({ operation: 'list_users' }, { users, total: users.length, offset: 0, limit: 500 });
    await service.control.plan([...faults({ name: 'Nameless' }), list]);
  };
  await deleteUser(service, other);
  await listOdd(user);
  await runOnce();
  // The backfill in the previous test announced this workout stream.
  const streams = service
    .asked()
    .slice(before)
    .filter((path) => path.includes('workouts/') && !path.includes(workouts.broken));
  expect(streams).toEqual([`/v2/timeseries/workouts/${WORKOUT}/stream`]);
  expect(await select(`select len(points) as points from workout_streams where workout_id = '${WORKOUT}'`)).toEqual([
    { points: 1 },
  ]);
  expect(
    await select(`select state, erase_after > since + interval 6 day as later from user_states where user_id = '${other}'`),
  ).toEqual([{ state: 'missing', later: true }]);
  const { stdout: status } = await run('status');
  expect(status).toContain('The service has permanently deleted 1 user whose data is still stored here.');
  expect(await select(/aorta query "(.*)"/.exec(status)![1]!)).toEqual([{ user_id: other }]);
  await call(service, '/v2/user/undo_delete', { user_id: other });
  await listOdd(user, other);
  await runOnce();
  expect(await select(`select state, returned from user_states where user_id = '${other}'`)).toEqual([
    { state: 'present', returned: true },
  ]);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ erasures_due: 0 });
  expect(await select('select count(*) as markers from lab_markers')).toEqual([{ markers: lab.pages[0]!.total }]);
  // Each element without an id is only one dead letter, even though the user without an id has a new index in the second list.
  const letters = JSON.parse((await run('dlq', 'list', '--json')).stdout) as { reason: string; event_type: string }[];
  expect(letters.map(({ reason, event_type: type }) => `${type} ${reason}`).sort()).toEqual([
    'service.marker.polled no_id',
    'service.user.polled no_user_id',
  ]);
  await service.control.plan(faults());
});

test('doctor shows the number of users in the service', async () => {
  expect((await run('doctor')).stdout).toMatch(/service +2 users at 127\.0\.0\.1/);
});

test('an unknown key causes one error, and no output contains a key, a name or a user id', async () => {
  configure('planted-key');
  expect((await run('run', '--once')).code).toBe(1);
  expect(written.at(-1)).toContain('AORTA-SERVICE-KEY');
  expect(written.join('')).not.toMatch(/planted|Planted/);
  for (const secret of [service.key, user, other]) expect(written.join('')).not.toContain(secret);
});
