import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { Cursors } from '../api/cursor.ts';
import { createApi } from '../api/server.ts';
import { Service } from '../service.ts';
import { Database } from '../storage/database.ts';
import { drawsOf } from '../storage/draws.ts';
import { Secrets } from '../storage/secrets.ts';
import { Signatures } from '../storage/signatures.ts';
import { combined, type LabTest, labTestOf, labTests, markerOf } from './catalogue.ts';
import { catalogueOperations } from './catalogue-operations.ts';

const service = new Service({ start: Date.UTC(2026, 0, 1), runs: false });
const { team_id: team, api_key: key } = service.teams.create('first');
const { api_key: otherKey } = service.teams.create('second');
const labTest = (slug: string): LabTest => labTests.find((one) => one.slug === slug)!;
const generated = [combined([labTest('blood-count')], [markerOf(328)!], 'walk_in_test')];
const database = Database.open(':memory:');
const app = createApi(
  catalogueOperations(new Cursors(new Signatures({ database, draws: drawsOf('1'), secrets: new Secrets(Buffer.alloc(32)) })), {
    accounts: service.preferences.labAccounts,
    generated: (asking) => (asking === team ? generated : []),
    find: (asking, id) => labTestOf(id) ?? (asking === team ? generated.find((test) => test.id === id) : undefined),
  }),
  service.authentication,
);
afterAll(async () => {
  await app.close();
  await service.close();
  database.close();
});

async function answer(url: string, { payload, asking = key }: { payload?: object; asking?: string } = {}) {
  const headers = { 'x-service-api-key': asking };
  const sent = payload === undefined ? { method: 'GET' as const } : { method: 'POST' as const, payload };
  const { statusCode: status, ...given } = await app.inject({ ...sent, url, headers });
  return { status, body: given.json(), headers: given.headers };
}
const get = async (url: string) => (await answer(url)).body;
const slugs = (things: readonly { slug: string }[]): string[] => things.map(({ slug }) => slug);

const MARKERS = '/v3/lab_tests/markers';
const ids = async (query: string): Promise<number[]> =>
  (await get(`${MARKERS}?size=100&${query}`)).markers.map(({ id }: { id: number }) => id);

test('a marker tells what a lab measures, for which price, and which results to expect', async () => {
  expect(await get(`${MARKERS}?lab_slug=quest&name=70412&include_pricing=true`)).toEqual({
    markers: [
      {
        id: 301,
        name: 'Glucose',
        slug: 'glucose',
        description: 'The sugar in the blood.',
        lab_id: 3,
        provider_id: '70412',
        type: 'biomarker',
        unit: 'mg/dL',
        price: '9.50',
        a_la_carte_enabled: true,
        is_orderable: true,
        common_tat_days: 1,
        worst_case_tat_days: 3,
        aoe: {
          questions: [
            {
              id: 9001,
              required: true,
              code: 'FAST',
              value: 'Did the patient fast for 8 hours?',
              type: 'choice',
              sequence: 1,
              answers: [
                { id: 9101, code: 'Y', value: 'Yes' },
                { id: 9102, code: 'N', value: 'No' },
              ],
              constraint: null,
              default: null,
            },
          ],
        },
        expected_results: [
          {
            id: 30_023_457,
            name: 'Glucose',
            slug: 'glucose',
            lab_id: 3,
            provider_id: '30023457',
            required: true,
            loinc: {
              id: 23_457,
              name: 'Glucose [Mass/volume] in Serum or Plasma',
              code: '2345-7',
              unit: 'mg/dL',
              slug: 'glucose-mass-volume-in-serum-or-plasma',
            },
          },
        ],
      },
    ],
    total: 1,
    page: 1,
    size: 50,
    pages: 1,
    pricing: { currency: 'USD', data: { 301: { base_amount_minor: 950, modifiers: null } } },
  });
});

test('a panel has no unit, and expects a result for each part', async () => {
  const { markers } = await get(`${MARKERS}?lab_slug=quest&name=60142`);
  expect(markers).toMatchObject([{ id: 363, type: 'panel', unit: null }]);
  const [{ expected_results }] = markers;
  expect(slugs(expected_results)).toEqual(expect.arrayContaining(['ldl-cholesterol', 'hdl-cholesterol', 'triglycerides']));
});

test('markers are in the order of their ids, without those that only the lab adds', async () => {
  const all = await ids('');
  expect(all).toEqual([...all].sort((a, b) => a - b));
  // Free T4, a urine culture, a liver panel and an HIV confirmation.
  expect(all.filter((id) => [335, 391, 392, 393].includes(id))).toEqual([]);
  expect([all[0], all.at(-1)]).toEqual([301, 564]);
});

test('several labs may be asked for, and the slug wins over the ids', async () => {
  const [quest, ussl, both] = [await ids('lab_id=3'), await ids('lab_id=5'), await ids('lab_id=3&lab_id=5')];
  expect(both).toEqual([...quest, ...ussl]);
  expect([quest.length, ussl.length].every((length) => length > 20)).toBe(true);
  expect(await ids('lab_id=3&lab_slug=ussl')).toEqual(ussl);
  expect([await ids('lab_id=4'), await ids('lab_slug=none')]).toEqual([[], []]);
});

test('the name filter finds parts of names in any letter case, and whole codes', async () => {
  expect(await ids('name=FERR')).toEqual([328, 509]);
  expect(await ids('name=bs-1239')).toEqual([509]);
  expect(await ids('name=bs-123')).toEqual([]);
});

test('panels cannot be added to an order by themselves', async () => {
  const [alone, others, all] = [await ids('a_la_carte_enabled=true'), await ids('a_la_carte_enabled=0'), await ids('')];
  expect(others).toContain(363);
  expect(alone).toContain(301);
  expect([...alone, ...others].sort((a, b) => a - b)).toEqual(all);
});

test('pages have the size that was asked for, and the last one may be shorter', async () => {
  const first = await get(`${MARKERS}?lab_slug=ussl&size=20`);
  const last = await get(`${MARKERS}?lab_slug=ussl&size=20&page=2`);
  expect([first.total, first.pages, first.markers.length, last.markers.length]).toEqual([30, 2, 20, 10]);
  expect((await get(`${MARKERS}?lab_slug=ussl&size=20&page=3`)).markers).toEqual([]);
  for (const query of ['page=0', 'size=0', 'size=101', 'page=x', 'lab_id=x', 'lab_account_id=x'])
    expect((await answer(`${MARKERS}?${query}`)).status, query).toBe(422);
});

test('a lab account is named by its number or its id, and limits what there is', async () => {
  const without = await ids('lab_account_id=1003');
  expect(without).toEqual(await ids('lab_account_id=5B0C8C1E-6D0F-4C55-9A53-0F6F3A7D1003'));
  expect([without.includes(301), without.includes(338), without.includes(501)]).toEqual([true, false, false]);
  expect(await ids('lab_account_id=1003&lab_slug=ussl')).toEqual([]);
  const screen = labTest('infection-screen').id;
  const offered = [1001, 1002, 1003].map(async (account) => {
    const paths = [`${screen}?`, `${screen}/markers?`, '3/markers/75836?'];
    return Promise.all(paths.map(async (path) => (await answer(`/v3/lab_tests/${path}lab_account_id=${account}`)).status));
  });
  expect(await Promise.all(offered)).toEqual([
    [200, 200, 200],
    [404, 404, 404],
    [404, 404, 404],
  ]);
  const listed = await get('/v3/lab_test?lab_account_id=1003&lab_test_limit=100');
  expect(slugs(listed.data)).not.toContain('infection-screen');
  expect(slugs(listed.data)).toContain('blood-count');
});

test.each([
  [`${MARKERS}?lab_account_id=1`, 'Lab account not found'],
  ['/v3/lab_test?lab_account_id=1', 'Lab account not found'],
  ['/v3/lab_test/lab_account?lab_account_id=1', 'Lab account not found'],
  [`/v3/lab_tests/${labTest('gut-kit').id}?lab_account_id=1`, 'Lab account not found'],
  [`/v3/lab_tests/${labTest('gut-kit').id}/markers?lab_account_id=1`, 'Lab account not found'],
  ['/v3/lab_tests/3/markers/70412?lab_account_id=1', 'Lab account not found'],
  ['/v3/lab_tests/7a1e2b3c-0000-4000-8000-000000000001', 'Lab test not found'],
  ['/v3/lab_tests/7a1e2b3c-0000-4000-8000-000000000001/markers', 'Lab test not found'],
  ['/v3/lab_tests/5/markers/70412', 'Marker not found'],
])('%s is refused: %s', async (url, detail) => {
  expect(await answer(url)).toMatchObject({ status: 404, body: { detail } });
});

test('a lab test is the same in the list, in the deprecated list and by its id', async () => {
  const { data } = await get('/v3/lab_test?name=heart%20kit&include_pricing=false');
  expect(data).toMatchObject([
    {
      slug: 'heart-kit',
      method: 'testkit',
      sample_type: 'dried_blood_spot',
      price: 79,
      status: 'active',
      is_active: true,
      fasting: true,
      auto_generated: false,
      is_delegated: false,
      has_collection_instructions: false,
      common_tat_days: 4,
      worst_case_tat_days: 9,
      lab: { id: 5, slug: 'ussl' },
      markers: [{ id: 560 }, { id: 562 }, { id: 505 }],
    },
  ]);
  const deprecated = await answer('/v3/lab_tests?name=HEART%20KIT');
  expect(deprecated.body).toEqual(data);
  expect(deprecated.headers).toMatchObject({
    sunset: 'Thu, 01 Oct 2026 00:00:00 GMT',
    link: expect.stringContaining('/v3/lab_test'),
  });
  expect(await get(`/v3/lab_tests/${data[0].id}`)).toEqual(data[0]);
});

test.each([
  ['lab_slug=ussl&status=active', ['heart-kit', 'sti-kit', 'stress-kit', 'thyroid-kit']],
  ['lab_slug=none', []],
  ['collection_method=on_site_collection', ['workplace-sugar', 'workplace-wellness']],
  ['status=pending_approval', ['gut-kit']],
  ['marker_ids=363&marker_ids=360', ['workplace-wellness']],
  ['provider_ids=60142', ['heart-risk', 'metabolic-baseline', 'workplace-wellness']],
  ['provider_ids=60142&marker_ids=361', ['metabolic-baseline']],
  ['name=work', ['workplace-sugar', 'workplace-wellness']],
])('the filter %s finds the lab tests that match', async (query, expected) => {
  expect(slugs((await get(`/v3/lab_test?${query}`)).data).sort()).toEqual(expected);
  expect(slugs(await get(`/v3/lab_tests?${query}`)).sort()).toEqual(expected);
});

test('lists have the lab tests of the catalogue unless they are asked for those of orders', async () => {
  const count = async (query: string, asking = key) => (await answer(`/v3/lab_test?${query}`, { asking })).body.data.length;
  expect([await count(''), await count('generation_method=auto'), await count('generation_method=all')]).toEqual([16, 1, 17]);
  expect(await count('generation_method=auto', otherKey)).toBe(0);
  const url = `/v3/lab_tests/${generated[0]!.id}`;
  expect(await get(url)).toMatchObject({ name: 'Blood Count + Ferritin', auto_generated: true, price: 39.5 });
  expect((await answer(url, { asking: otherKey })).status).toBe(404);
});

test('prices are in cents, of lab tests and of each of their markers', async () => {
  const { id } = labTest('blood-count');
  expect((await get('/v3/lab_test?name=blood%20count')).pricing).toBe(null);
  expect((await get('/v3/lab_test?name=blood%20count&include_pricing=true')).pricing).toEqual({
    currency: 'USD',
    data: {
      [id]: {
        pricing: { base_amount_minor: 2450, modifiers: null },
        marker_breakdown: {
          365: { base_amount_minor: 1600, modifiers: null },
          371: { base_amount_minor: 1500, modifiers: null },
        },
      },
    },
  });
});

/** Lab tests in the order of a key. Those with equal keys are in the order of their ids in both directions. */
const ordered = (sign: number, keyOf: (one: LabTest) => number): string[] =>
  [...labTests]
    .sort((a, b) => (keyOf(a) === keyOf(b) ? (a.id < b.id ? -1 : 1) : sign * (keyOf(a) - keyOf(b))))
    .map(({ slug }) => slug);

test('pages together have each lab test once, in the order that was asked for', async () => {
  const keys = {
    price: (one: LabTest) => one.price,
    created_at: (one: LabTest) => one.created_at,
    updated_at: (one: LabTest) => one.updated_at,
  };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom('price', 'created_at', 'updated_at'),
      fc.constantFrom('asc', 'desc'),
      async (limit, order_key, order_direction) => {
        const found: string[] = [];
        let cursor: string | null = null;
        do {
          const after: string = cursor === null ? '' : `&next_cursor=${cursor}`;
          const url = `/v3/lab_test?lab_test_limit=${limit}&order_key=${order_key}&order_direction=${order_direction}${after}`;
          const { data, next_cursor } = await get(url);
          expect(data.length).toBe(Math.min(limit, labTests.length - found.length));
          found.push(...slugs(data));
          expect(next_cursor === null).toBe(found.length === labTests.length);
          cursor = next_cursor;
        } while (cursor !== null && found.length < 100);
        expect(found).toEqual(ordered(order_direction === 'asc' ? 1 : -1, keys[order_key]));
      },
    ),
    { numRuns: 30 },
  );
});

test('a text that is no cursor is refused, and so is a page without lab tests', async () => {
  for (const query of ['next_cursor=x', 'lab_test_limit=0']) expect((await answer(`/v3/lab_test?${query}`)).status).toBe(422);
});

test('the markers of a lab test are followed by those that the lab adds, on pages', async () => {
  const url = `/v3/lab_tests/${labTest('infection-screen').id}/markers`;
  const { markers, total } = await get(url);
  expect(markers.map(({ id }: { id: number }) => id)).toEqual([382, 383, 384, 385, 386, 393, 392]);
  expect(total).toBe(7);
  expect((await get(`${url}?size=3&page=3`)).markers).toMatchObject([{ id: 392, is_orderable: false }]);
});

const SET = '/v3/lab_tests/list_order_set_markers';

test('the markers of an order set are those of its lab tests and the additional ones, each once', async () => {
  const lab_test_ids = [labTest('workplace-wellness').id, labTest('heart-risk').id];
  const add_on = { marker_ids: [328], provider_ids: ['71206', '70644', '71239'] };
  expect((await answer(SET, { payload: { lab_test_ids, add_on } })).body).toEqual({ detail: 'Marker not found: 70644' });
  const known = { lab_test_ids, add_on: { ...add_on, provider_ids: ['71206', '71239'] } };
  const { body } = await answer(SET, { payload: known });
  expect(body.markers.map(({ id }: { id: number }) => id)).toEqual([360, 363, 318, 319, 320, 321, 328, 315]);
  expect((await answer(`${SET}?size=3&page=3`, { payload: known })).body).toMatchObject({
    markers: [{ id: 328 }, { id: 315 }],
    total: 8,
    page: 3,
    pages: 3,
    pricing: null,
  });
  expect((await answer(SET, { payload: {} })).body).toMatchObject({ markers: [], total: 0, pages: 0 });
  expect((await answer(SET, { payload: { lab_test_ids: [generated[0]!.id] } })).body.markers).toHaveLength(3);
});

test.each([
  [{ lab_test_ids: [labTest('heart-kit').id, labTest('heart-risk').id] }, 400],
  [{ lab_test_ids: [labTest('heart-kit').id], add_on: { marker_ids: [301] } }, 400],
  [{ add_on: { marker_ids: [363] } }, 400],
  [{ lab_test_ids: [labTest('heart-kit').id], add_on: { provider_ids: ['70412'] } }, 404],
  [{ add_on: { marker_ids: [1] } }, 404],
  [{ lab_test_ids: ['7a1e2b3c-0000-4000-8000-000000000001'] }, 404],
  [{ lab_test_ids: [labTest('male-hormones').id], lab_account_id: 1003 }, 400],
  [{ add_on: { marker_ids: [338] }, lab_account_id: 1003 }, 400],
  [{ lab_account_id: 1 }, 404],
  [{ lab_test_ids: ['x'] }, 422],
])('the order set %j is refused with %i', async (payload, status) => {
  expect((await answer(SET, { payload })).status).toBe(status);
});

test('lab accounts are listed with the number that the lab gave them', async () => {
  const all = (await get('/v3/lab_test/lab_account')).data;
  const brief = all.map((one: Record<string, unknown>) => [one.lab, one.provider_account_id, one.team_id_allowlist]);
  expect(brief).toEqual([
    ['quest', '1001', [team]],
    ['ussl', '1002', [team]],
    ['quest', '1003', [team]],
  ]);
  expect(all[0].allowed_billing.client_bill).toHaveLength(50);
  expect((await get('/v3/lab_test/lab_account?lab_account_id=1002')).data).toEqual([all[1]]);
  expect((await get('/v3/lab_test/lab_account?status=suspended')).data).toEqual([]);
});
