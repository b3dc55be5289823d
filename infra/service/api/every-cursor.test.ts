import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { labTests, type Marker, markers } from '../labs/catalogue.ts';
import { inventedPatient } from '../reviews/cases.ts';
import { Service, type ServiceOptions } from '../service.ts';
import type { User } from '../users/users.ts';
import type { Operation } from './operation.ts';
import { createApi } from './server.ts';

/** All services can open the snapshots of the others. */
const secretKey = Buffer.alloc(32, 1).toString('base64');
const START = Date.UTC(2026, 0, 10, 12);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-cursors-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A service, called without a port. It ends with the test, or before. */
function opened(options: ServiceOptions = {}) {
  const service = new Service({ start: START, runs: false, seed: 1, pageSize: 1, secretKey, ...options });
  const app = createApi(service.operations, service.authentication);
  let end = async () => {
    end = async () => {};
    await app.close();
    await service.close();
  };
  onTestFinished(() => end());
  const ask = async (url: string, key: string) => {
    const { statusCode: status, ...answer } = await app.inject({ url, headers: { 'x-service-api-key': key } });
    return { status, text: answer.body, body: answer.json() };
  };
  return { service, ask, end: () => end() };
}
type Opened = ReturnType<typeof opened>;

/** The query parameters of an operation that hold a cursor. */
const cursorsOf = ({ query }: Operation): string[] => ['next_cursor', 'cursor'].filter((name) => name in (query?.shape ?? {}));
const paged = new Service({ runs: false });
const operations = paged.operations.filter((operation) => operation.managed === undefined && cursorsOf(operation).length > 0);
await paged.close();
const isRefusal = { status: 422, loc: ['query', expect.any(String)] };

/** Gives a cursor to an operation. Returns why it is refused; undefined if it is not. */
async function refusal({ ask }: Opened, key: string, { path }: Operation, [name, cursor]: [string, string]) {
  const url = path.replaceAll(/\{\w+\}/g, '2a7e51c4-0000-4000-8000-000000000001');
  const { status, body } = await ask(`${url}?${name}=${encodeURIComponent(cursor)}`, key);
  const detail: readonly { readonly loc: string[] }[] = status === 422 ? body.detail : [];
  const found = detail.find(({ loc }) => loc.includes(name));
  return found === undefined ? undefined : { status, loc: found.loc };
}

/** A team with three entries of every list. `at`: which markers its own lab tests have. */
function newTeam({ service }: Opened, name: string, at: number) {
  const { team_id, api_key: key } = service.teams.create(name);
  const users = ['c-1', 'c-2', 'c-3'].map((id) => (service.users.create(team_id, id, {}) as User).user_id);
  const source = { provider: 'oura', type: 'ring', app_id: null, device_id: null };
  const data = [0, 1, 2].map((minute) => ({
    timestamp: `2026-01-10T09:0${minute}:00+00:00`,
    timezone_offset: 0,
    type: null,
    unit: 'bpm',
    value: 60 + at + minute,
  }));
  service.ingestion.take(service.users.any(users[0]!)!, 'oura', [{ resource: 'heartrate', data: { source, data } }]);
  const result = {
    team_id,
    decision: 'no_match',
    labTest: labTests[0]!,
    interpretation: 'normal',
    result_status: 'final',
  } as const;
  const patients = ['a', 'b', 'c'].map((name) => inventedPatient(name));
  const reviews = patients.map((patient) => service.reviews.create({ ...result, patient, candidates: [] }).raw_result_id);
  const ownTests = asked.slice(at, at + 3).map(({ id }) => {
    const order_set = { add_on: { marker_ids: [id] } };
    const made = service.labs.sets.order(team_id, { order_set, collection_method: 'walk_in_test' });
    if ('refused' in made) throw new Error(JSON.stringify(made.refused));
    return made.labTest.id;
  });
  const entries = {
    introspect_historical_pulls: users,
    introspect_resources: users,
    list_unmatched_results: reviews,
    list_lab_tests: ownTests,
    get_heartrate_grouped: data.map(({ value }) => `"value":${value}`),
  };
  const first = {
    introspect_historical_pulls: '/v2/introspect/historical_pull?user_limit=1',
    introspect_resources: '/v2/introspect/resources?user_limit=1',
    list_unmatched_results: '/v3/unmatched_result?limit=1',
    list_lab_tests: '/v3/lab_test?lab_test_limit=1&generation_method=auto',
    get_heartrate_grouped: `/v2/timeseries/${users[0]}/heartrate/grouped?start_date=2026-01-10`,
  };
  return { key, entries, first };
}

type Listing = keyof ReturnType<typeof newTeam>['first'];
const listings: readonly Listing[] = [
  'introspect_historical_pulls',
  'introspect_resources',
  'list_unmatched_results',
  'list_lab_tests',
  'get_heartrate_grouped',
];
const quest = markers.find(({ provider_id }) => provider_id === '70412')!.lab_id;
/** Markers of one lab that can be ordered alone, without answers to questions. */
const asked = markers.filter(
  ({ lab_id, questions, is_orderable, a_la_carte_enabled }: Marker) =>
    lab_id === quest && questions.length === 0 && is_orderable && a_la_carte_enabled,
);

test('the lists whose cursors these tests take are all of them, and one of the samples', () => {
  const others = operations.map(({ id }) => id).filter((id) => !/^get_\w+_grouped$/.test(id));
  expect([...others, 'get_heartrate_grouped'].sort()).toEqual([...listings].sort());
});

test('a made-up cursor is refused by every operation that takes cursors', async () => {
  const service = opened();
  const { api_key: key } = service.service.teams.create('first');
  const positions = [[1], [1, 'a'], [1, 'a', 'a', 'a']].map((one) => Buffer.from(JSON.stringify(one)).toString('base64url'));
  for (const operation of operations)
    for (const name of cursorsOf(operation))
      for (const text of [...positions, ...positions.map((one) => `${one}.${'A'.repeat(43)}`)])
        expect(await refusal(service, key, operation, [name, text]), `${operation.id} ${text}`).toEqual(isRefusal);
});

test.each(listings)('a cursor of %s is taken by it, and refused by every other operation', async (listing) => {
  const service = opened();
  const { key, first } = newTeam(service, 'first', 0);
  const cursor: string = (await service.ask(first[listing], key)).body.next_cursor;
  for (const operation of operations)
    for (const name of cursorsOf(operation))
      expect(await refusal(service, key, operation, [name, cursor]), operation.id).toEqual(
        operation.id === listing ? undefined : isRefusal,
      );
});

test.each(listings)('a cursor of %s shows another team nothing but its own entries', async (listing) => {
  const service = opened();
  const [one, other] = [newTeam(service, 'first', 0), newTeam(service, 'second', 3)];
  for (const [mine, foreign] of [
    [one, other],
    [other, one],
  ] as const) {
    const cursor: string = (await service.ask(foreign.first[listing], foreign.key)).body.next_cursor;
    const own = await service.ask(`${foreign.first[listing]}&next_cursor=${cursor}`, foreign.key);
    expect(foreign.entries[listing].filter((entry) => own.text.includes(entry))).toHaveLength(1);
    const { status, text } = await service.ask(`${mine.first[listing]}&next_cursor=${cursor}`, mine.key);
    expect(status).toBe(200);
    expect(foreign.entries[listing].filter((entry) => text.includes(entry))).toEqual([]);
  }
});

const LAB_TESTS = '/v3/lab_test?lab_test_limit=1';

test('a cursor is valid after a restart', async () => {
  const options = { path: join(folder, 'service.db') };
  const before = opened(options);
  const { api_key: key } = before.service.teams.create('first');
  const cursor: string = (await before.ask(LAB_TESTS, key)).body.next_cursor;
  const next = `${LAB_TESTS}&next_cursor=${cursor}`;
  const page = await before.ask(next, key);
  expect(page.status).toBe(200);
  await before.end();
  expect(await opened(options).ask(next, key)).toEqual(page);
});

test('a restored snapshot takes the cursors of its service again, and no others', async () => {
  const snapshots = join(folder, 'snapshots');
  const [first, second] = [opened({ seed: 1, snapshots }), opened({ seed: 2, snapshots })];
  const { api_key: key } = first.service.teams.create('first');
  const { api_key: lost } = second.service.teams.create('first');
  const cursor: string = (await first.ask(LAB_TESTS, key)).body.next_cursor;
  const other: string = (await second.ask(LAB_TESTS, lost)).body.next_cursor;
  const statusOf = async (text: string, asking: string) => (await second.ask(`${LAB_TESTS}&next_cursor=${text}`, asking)).status;
  expect([await statusOf(cursor, lost), await statusOf(other, lost)]).toEqual([422, 200]);
  await first.service.snapshots.save('one');
  await second.service.snapshots.restore('one');
  expect([await statusOf(cursor, key), await statusOf(other, key)]).toEqual([200, 422]);
});

test('services with the same seed give the same cursors, and one with another seed gives others', async () => {
  const cursors: string[] = [];
  for (const seed of [1, 1, 2]) {
    const { service, ask } = opened({ seed });
    cursors.push((await ask(LAB_TESTS, service.teams.create('first').api_key)).body.next_cursor);
  }
  expect(cursors[1]).toBe(cursors[0]);
  expect(cursors[2]).not.toBe(cursors[0]);
});
