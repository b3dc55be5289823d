import { afterAll, expect, test } from 'vitest';
import { controlOperations } from '../control/control-operations.ts';
import { createControl } from '../control/control-server.ts';
import { labTests } from '../labs/catalogue.ts';
import { patient, testOf } from '../orders/orders.fixture.ts';
import { Service } from '../service.ts';
import type { User } from '../users/users.ts';
import { createApi } from './server.ts';

const service = new Service({ start: Date.UTC(2026, 0, 1, 12), runs: false, seed: 1 });
const app = createApi(service.operations, service.authentication);
const control = createControl(controlOperations(service));
afterAll(async () => {
  await app.close();
  await control.close();
  await service.close();
});
const { team_id: team, org_id: org, api_key: key } = service.teams.create('first');
const { key: managementKey } = service.managementKeys.create({ org_id: org, label: '', creator: 'vital_staff', team_ids: null });
const { user_id: user } = service.users.create(team, 'c-1', {}) as User;
const { endpoint_id: endpoint } = service.endpoints.create(team, { url: 'https://example.com/' });

const orderOf = (more: object = {}) => ({
  user_id: user,
  order_set: { lab_test_ids: [testOf('walk_in_test')] },
  ...patient,
  ...more,
});
const patientWith = (more: object) => orderOf({ patient_details: { ...patient.patient_details, ...more } });
const proxy = {
  first_name: 'Jo',
  last_name: 'Doe',
  phone_number: '+16025550123',
  address: { first_line: '1 Main Street', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
};
const created = service.labs.orders.create(service.users.any(user)!, {
  lab_test_id: labTests.find(({ method }) => method === 'walk_in_test')!.id,
  method: 'walk_in_test',
  request: { priority: false, billing_type: 'client_bill' },
}).order_id;

/** A value inside this many lists. */
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

interface Sent {
  readonly type?: string;
  readonly body?: object | string | Buffer;
}

async function ask(server: 'api' | 'control', request: string, { type = 'application/json', body }: Sent = {}) {
  const [method, url] = request.split(' ') as ['GET', string];
  const answer = await (server === 'api' ? app : control).inject({
    method,
    url,
    headers: {
      ...(server === 'api' ? { 'x-service-api-key': key, 'x-management-key': managementKey } : {}),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    payload: body === undefined ? undefined : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
  return { status: answer.statusCode, text: answer.body, body: answer.body === '' ? undefined : answer.json() };
}

/** Texts that no request may hold. */
const HALF = '\ud83d';
const NUL = 'a\0b';

type Case = readonly [what: string, server: 'api' | 'control', request: string, sent: Sent | undefined, loc: (string | number)[]];

const bad: readonly Case[] = [
  ...([101, 1_100, 200_000] as const).map(
    (levels): Case => [
      `a free-form member with ${levels} levels`,
      'api',
      'POST /v3/order',
      // The value itself is in three objects.
      {
        body: JSON.stringify(patientWith({ medical_proxy: { ...proxy, more: '?' } })).replace(
          '"?"',
          '['.repeat(levels - 3) + ']'.repeat(levels - 3),
        ),
      },
      ['body', 'patient_details', 'medical_proxy'],
    ],
  ),
  ['a body of deep lists', 'api', 'POST /v2/user', { body: '['.repeat(500_000) + ']'.repeat(500_000) }, ['body', 0, 0]],
  [
    'deep health insurance',
    'api',
    'POST /v3/order',
    { body: orderOf({ health_insurance: { a: nested(99) } }) },
    ['body', 'health_insurance', 'a'],
  ],
  ['deep consents', 'api', 'POST /v3/order', { body: orderOf({ consents: [{ a: nested(99) }] }) }, ['body', 'consents', 0]],
  ['deep physician', 'api', 'POST /v3/order', { body: orderOf({ physician: { a: nested(99) } }) }, ['body', 'physician', 'a']],
  [
    'a deep scripted answer',
    'control',
    'POST /faults',
    { body: { on: 'operation', effect: { kind: 'answer', body: nested(99) } } },
    ['body', 'effect', 'body'],
  ],
  [
    'deep scripted data',
    'control',
    'POST /data',
    { body: { user_id: user, provider: 'oura', resource: 'meal', data: { a: nested(99) } } },
    ['body', 'data', 'a'],
  ],
  ...[HALF, NUL].flatMap((text): Case[] => [
    [
      'text in the id of an organization',
      'api',
      `POST /v1/org/${org}/team`,
      { body: { name: 'x', region: 'us', integration_team_id: text } },
      ['body', 'integration_team_id'],
    ],
    [
      'text in the id to resolve',
      'api',
      `POST /v1/org/${org}/resolve_team`,
      { body: { integration_team_id: text } },
      ['body', 'integration_team_id'],
    ],
    [
      'text in the label of a key',
      'api',
      `POST /v1/org/${org}/management_key`,
      { body: { label: text, role: 'org_admin' } },
      ['body', 'label'],
    ],
    [
      'text in a description',
      'api',
      `POST /v1/org/${org}/team/${team}/sandbox/webhook`,
      { body: { url: 'https://example.com/', description: text } },
      ['body', 'description'],
    ],
    ['text in a client user id', 'api', 'POST /v2/user', { body: { client_user_id: text } }, ['body', 'client_user_id']],
    [
      'text in a name',
      'api',
      'POST /v3/order',
      { body: patientWith({ last_name: text }) },
      ['body', 'patient_details', 'last_name'],
    ],
    [
      'text in a free-form member',
      'api',
      'POST /v3/order',
      { body: patientWith({ medical_proxy: { ...proxy, more: [text] } }) },
      ['body', 'patient_details', 'medical_proxy'],
    ],
    [
      'the name of a member',
      'api',
      'POST /v3/order',
      { body: orderOf({ health_insurance: { [text]: 1 } }) },
      ['body', 'health_insurance'],
    ],
    ['text in the name of a team', 'control', 'POST /teams', { body: { name: text } }, ['body', 'name']],
    [
      'text in an error',
      'control',
      'POST /connections/break',
      { body: { user_id: user, provider: 'oura', error_message: text } },
      ['body', 'error_message'],
    ],
    [
      'text in a scripted answer',
      'control',
      'POST /faults',
      { body: { on: 'operation', effect: { kind: 'answer', body: { a: text } } } },
      ['body', 'effect', 'body'],
    ],
  ]),
  ['a NUL in a path', 'api', 'GET /v2/user/resolve/a%00b', undefined, ['path', 'client_user_id']],
  ['half of a surrogate pair in a path', 'api', 'GET /v2/user/resolve/a%ED%A0%BD', undefined, ['path']],
  ['a path that is not UTF-8', 'api', 'GET /v2/user/resolve/%FF', undefined, ['path']],
  ['a NUL in the path of the control port', 'control', 'GET /webhooks/a%00b', undefined, ['path', 'endpoint_id']],
  ['a NUL in a query', 'api', 'GET /v3/orders?search_input=a%00b', undefined, ['query', 'search_input']],
  ['half of a surrogate pair in a query', 'api', 'GET /v3/orders?search_input=a%ED%A0%BD', undefined, ['query']],
  ['a query that is not UTF-8', 'api', 'GET /v3/orders?patient_name=M%FCller', undefined, ['query']],
  ['an overlong form in a query', 'api', 'GET /v3/orders?patient_name=%C0%80', undefined, ['query']],
  ['a name in a query that is not UTF-8', 'api', 'GET /v3/orders?%FF=1', undefined, ['query']],
  [
    'a query of the control port that is not UTF-8',
    'control',
    `GET /webhooks/${endpoint}/deliveries?after=%FF`,
    undefined,
    ['query'],
  ],
  [
    'a body that is not UTF-8',
    'api',
    'POST /v2/user',
    { body: Buffer.from('{"client_user_id": "M\xfcller"}', 'latin1') },
    ['body'],
  ],
  [
    'a body of the control port that is not UTF-8',
    'control',
    'POST /teams',
    { body: Buffer.from('{"name": "M\xfcller"}', 'latin1') },
    ['body'],
  ],
  ['a body in UTF-16', 'api', 'POST /v2/user', { body: Buffer.from('{"client_user_id": "c"}', 'utf16le') }, ['body']],
  [
    'a number beyond all numbers',
    'api',
    'POST /v3/order',
    { body: JSON.stringify(orderOf({ health_insurance: { a: '?' } })).replace('"?"', '1e400') },
    ['body', 'health_insurance', 'a'],
  ],
];

test.each(bad)('%s of the %s is refused: %s', async (_, server, request, sent, loc) => {
  const before = service.clock.now();
  const { status, body } = await ask(server, request, sent);
  expect([status, body]).toEqual([422, { detail: [{ loc, msg: expect.any(String), type: expect.any(String) }] }]);
  for (const path of [
    '/orders?search_input=a',
    '/orders?patient_name=a',
    '/orders?shipping_recipient_name=a',
    '/orders?order_key=patient_name',
  ])
    expect((await ask('api', `GET ${path}`)).status).toBe(200);
  expect(service.clock.now()).toBe(before);
});

test.each([
  ['POST /v3/order', orderOf({ order_set: { lab_test_ids: [] } })],
  ['POST /v3/order', orderOf({ order_set: { lab_test_ids: [] }, lab_test_id: null })],
  ['POST /v3/order', orderOf({ order_set: {}, lab_test_id: null })],
  [
    'POST /v3/order/import',
    orderOf({ order_set: {}, billing_type: 'client_bill', collection_method: 'walk_in_test', sample_id: 'L-1' }),
  ],
])('an order of nothing is refused: %s', async (request, body) => {
  service.teams.betas.set(team, 'import_order', true);
  const { status, body: answer } = await ask('api', request, { body });
  expect([status, answer.detail?.[0]?.loc]).toEqual([422, ['body', 'order_set', 'lab_test_ids']]);
});

test.each([
  [
    'a free-form member with 100 levels',
    'POST /v3/order',
    { body: patientWith({ medical_proxy: { ...proxy, more: nested(97) } }) },
  ],
  ['a surrogate pair', 'POST /v2/user', { body: { client_user_id: '\ud83d\ude00' } }],
  ['U+FFFD itself', 'POST /v2/user', { body: { client_user_id: '\ufffd' } }],
  ['U+FFFD in a query', 'GET /v3/orders?search_input=%EF%BF%BD', undefined],
  ['a percent sign without digits', 'GET /v3/orders?search_input=100%', undefined],
])('%s is accepted', async (_, request, sent) => {
  expect((await ask('api', request, sent)).status).toBe(200);
});

const part = (name: string, value: string, more = '') =>
  `--a-boundary\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const form = (userId: string, file: string, filename = 'a.pdf') =>
  Buffer.from(
    `${part('user_id', userId)}${part('file', file, `; filename="${filename}"\r\ncontent-type: application/pdf`)}--a-boundary--\r\n`,
    'latin1',
  );

test.each([
  ['a field that is not UTF-8', form('\xff', '%PDF'), 422],
  ['a name of a file that is not UTF-8', form(user, '%PDF', '\xff.pdf'), 422],
  ['a NUL in the name of a file', form(user, '%PDF', 'a\0.pdf'), 422],
  ['a name of a file with U+FFFD itself', form(user, '%PDF', '\xef\xbf\xbd.pdf'), 200],
  ['a file with any bytes', form(user, '%PDF\xff\0\xfe'), 200],
])('%s: status of a form', async (_, body, status) => {
  const sent = { type: 'multipart/form-data; boundary=a-boundary', body };
  const answer = await ask('api', 'POST /lab_report/v1/parser/job', sent);
  expect(answer.status).toBe(status);
  if (status !== 200) expect(answer.text).toMatch(/not UTF-8|NUL/);
});

/** Parameters of operations that are numbers, each with a value that it accepts. */
const numeric = [
  ['GET /v2/user?limit=', '16'],
  ['GET /v2/user?offset=', '0'],
  ['GET /v3/orders?page=', '1'],
  ['GET /v3/orders?size=', '16'],
  ['GET /v3/lab_tests/markers?lab_id=', '27'],
  ['GET /v3/lab_tests/markers?lab_account_id=', '1001'],
  ['GET /v3/lab_tests/markers?page=', '1'],
  ['GET /v3/lab_test?lab_test_limit=', '16'],
  ['GET /v3/lab_test?marker_ids=', '1'],
  ['GET /v3/lab_test/lab_account?lab_account_id=', '1001'],
  ['GET /v2/introspect/resources?user_limit=', '16'],
  ['GET /v2/introspect/historical_pull?user_limit=', '16'],
  [`GET /v1/org/${org}/team/${team}/sandbox/webhook?limit=`, '16'],
  [`GET /v1/org/${org}/team_data_pull_preferences/sandbox/us?limit=`, '16'],
] as const;
const controlNumeric = [
  ['GET /requests?after=', '0'],
  ['GET /requests?limit=', '16'],
  [`GET /webhooks/${endpoint}/deliveries?limit=`, '16'],
] as const;
const notDecimal = [
  '',
  '0x10',
  '0b1',
  '0o7',
  '1e1',
  '1_0',
  '%2B1',
  '%201',
  '1%20',
  '1.',
  '.5',
  'NaN',
  'Infinity',
  'true',
  '%D9%A1',
  '1n',
];

test.each([...numeric.map((one) => ['api', ...one] as const), ...controlNumeric.map((one) => ['control', ...one] as const)])(
  'the %s takes plain decimals only: %s%s',
  async (server, request, accepted) => {
    expect((await ask(server, request + accepted)).status).toBe(200);
    for (const text of notDecimal) expect([text, (await ask(server, request + text)).status]).toEqual([text, 422]);
  },
);

test('every number in a path or a query is a plain decimal', () => {
  const numbers = service.operations.flatMap(({ id, params, query }) =>
    Object.entries({ ...params?.shape, ...query?.shape })
      .filter(([, schema]) =>
        [' 1', '0x1', '1e0', '+1'].some((text) => [text, [text]].some((one) => isNumber(schema.safeParse(one).data))),
      )
      .map(([name]) => `${id}: ${name}`),
  );
  expect(numbers).toEqual([]);
});

const isNumber = (value: unknown): boolean => typeof (Array.isArray(value) ? value[0] : value) === 'number';

const script = (after: unknown) => ({ order_id: created, steps: [{ status: 'requisition_created', after }] });
const fault = (more: object) => ({
  on: 'operation',
  match: { operation: 'get_order_transaction' },
  effect: { kind: 'status', status: 503 },
  ...more,
});
const deliveryFault = (effect: object) => ({ on: 'delivery', effect, match: { endpoint_id: 'ep_x' } });
const outcomes = (one: object) => ({ provider: 'oura', outcomes: [one] });

/** Bodies of the control port with a number, by its place. */
const scripted: readonly (readonly [what: string, request: string, body: (value: unknown) => object, accepted: number])[] = [
  ['the time of a step', 'POST /orders/script', script, 60],
  ['the times of a fault', 'POST /faults', (times) => fault({ times }), 1],
  ['the probability of a fault', 'POST /faults', (probability) => fault({ probability }), 0.5],
  ['the delay of a fault', 'POST /faults', (delay_ms) => fault({ delay_ms }), 1],
  ['the status of a fault', 'POST /faults', (status) => fault({ effect: { kind: 'status', status } }), 500],
  [
    'the pause of a fault',
    'POST /faults',
    (seconds) => fault({ effect: { kind: 'status', status: 429, retry_after: { seconds, form: 'date' } } }),
    5,
  ],
  ['the bytes of a fault', 'POST /faults', (after_bytes) => fault({ effect: { kind: 'reset', after_bytes } }), 5],
  ['the events of a fault', 'POST /faults', (behind) => deliveryFault({ kind: 'reorder', behind }), 1],
  [
    'the seconds of a fault',
    'POST /faults',
    (within_seconds) => deliveryFault({ kind: 'reorder', behind: 1, within_seconds }),
    1,
  ],
  ['the lost status of a fault', 'POST /faults', (status) => deliveryFault({ kind: 'lose', status }), 500],
  [
    'the seconds of a delivery',
    'POST /faults',
    (delay_seconds) => ({ ...deliveryFault({ kind: 'duplicate' }), delay_seconds }),
    1,
  ],
  ['the attempts of a pull', 'POST /pulls/script', (attempts) => outcomes({ kind: 'success', attempts }), 1],
  ['the chunks of a pull', 'POST /pulls/script', (after_chunks) => outcomes({ kind: 'rate_limit', after_chunks }), 1],
  ['the seconds of a chunk', 'POST /pulls/script', (seconds_per_chunk) => outcomes({ kind: 'slow', seconds_per_chunk }), 1],
  ['the payload of a team', 'POST /teams', (payload_limit) => ({ name: 'x', payload_limit }), 8192],
  ['the requests of a limit', 'POST /limits', (requests) => ({ requests }), 1000],
  ['the seconds of a limit', 'POST /limits', (seconds) => ({ requests: 1000, seconds }), 1],
  ['the users of a seed', 'POST /seed', (users) => ({ seed: 3, users }), 1],
  ['the seed', 'POST /seed', (seed) => ({ seed, users: 1 }), 4],
  ['the seconds of an advance', 'POST /clock/advance', (seconds) => ({ seconds }), 0],
];

test.each(scripted)('%s is bounded', async (_, request, body, accepted) => {
  for (const value of [1e30, 1e308, -1e30, -1, 2 ** 53, '1', null, [1]]) {
    if (value === null && request === 'POST /limits') continue;
    const answer = await ask('control', request, { body: body(value) });
    expect([value, answer.status, answer.text]).toEqual([value, 422, expect.stringContaining('"detail":[{"loc":["body"')]);
  }
  expect((await ask('control', request, { body: body(accepted) })).status).toBe(200);
});

test('the longest script of an order is shown, also near the end of the clock', async () => {
  const late = new Service({ start: Date.parse('9999-12-30T00:00:00Z'), runs: false });
  const port = createControl(controlOperations(late));
  const { user_id } = late.users.create(late.teams.create('first').team_id, 'c-1', {}) as User;
  const { order_id } = late.labs.orders.create(late.users.any(user_id)!, {
    lab_test_id: testOf('walk_in_test'),
    method: 'walk_in_test',
    request: { priority: false, billing_type: 'client_bill' },
  });
  const steps = [{ status: 'requisition_created', after: 31_622_400 }];
  const answer = await port.inject({ method: 'POST', url: '/orders/script', payload: { order_id, steps } });
  expect([answer.statusCode, answer.json().steps]).toEqual([
    200,
    [{ status: 'requisition_created', at: '9999-12-31T23:59:59.999+00:00' }],
  ]);
  await port.close();
  await late.close();
});

/** Requests with a birth date, by what it is. The clock is at noon of 1 January 2026 (UTC), when it is 2 January in Kiribati. */
const births = [
  [
    'a new user',
    'api',
    'POST /v2/user',
    (date: string) => ({ client_user_id: `born ${date}`, fallback_birth_date: date }),
    ['body', 'fallback_birth_date'],
  ],
  ['a user', 'api', `PATCH /v2/user/${user}`, (date: string) => ({ fallback_birth_date: date }), ['body', 'fallback_birth_date']],
  ['a patient', 'api', 'POST /v3/order', (dob: string) => patientWith({ dob }), ['body', 'patient_details', 'dob']],
] as const;

test.each(births)('the birth date of %s is that of a living person', async (_, server, request, body, loc) => {
  service.teams.change(team, {
    name: 'first',
    integration_team_id: null,
    environment: { ...service.teams.record(org, team)!.environment, minor_ordering_enabled: true },
  });
  for (const date of [
    '2999-01-01',
    '9999-12-31',
    '0000-01-01',
    '0001-01-01',
    '1899-12-31',
    '2026-01-03',
    '2025-02-29',
    '2025-1-1',
    '',
  ]) {
    const { status, body: answer } = await ask(server, request, { body: body(date) });
    expect([date, status, answer.detail?.[0]?.loc]).toEqual([date, 422, loc]);
  }
  for (const date of ['1900-01-01', '1980-02-29', '2026-01-02']) {
    const { status } = await ask(server, request, { body: body(date) });
    expect([date, status]).toEqual([date, request.startsWith('PATCH') ? 204 : 200]);
  }
});

test('scripted data has the birth date of a living person', async () => {
  service.connections.connect(service.users.any(user)!, { provider: 'withings', isDemo: false });
  const push = async (birth_date: string) => {
    const data = { id: '2a7e51c4-0000-4000-8000-000000000001', height: 180, birth_date, source: { type: 'app' } };
    return (await ask('control', 'POST /data', { body: { user_id: user, provider: 'withings', resource: 'profile', data } }))
      .status;
  };
  expect(await Promise.all(['0000-01-01', '2999-01-01', '1980-02-03'].map(push))).toEqual([422, 422, 200]);
});

test.each([
  ['GET /v3/orders?start_date=', undefined],
  ['GET /v3/orders?updated_end_date=', undefined],
  [`GET /v2/summary/sleep/${user}?start_date=`, undefined],
  [`GET /v2/timeseries/${user}/steps/grouped?start_date=`, undefined],
  ['POST /v2/user', (date: string) => ({ client_user_id: `from ${date}`, ingestion_start: date })],
  ['POST /v2/user', (date: string) => ({ client_user_id: `until ${date}`, ingestion_end: date })],
  ['POST /v3/order', (activate_by: string) => orderOf({ activate_by })],
  ['POST /v3/order/resend_events', (start_at: string) => ({ start_at })],
])('a date in the year 0 is refused: %s', async (request, body) => {
  const send = (date: string) =>
    ask('api', body === undefined ? request + date : request, body === undefined ? {} : { body: body(date) });
  for (const date of ['0000-01-01', '0000-12-31', '10000-01-01', '2026-00-01', '2026-02-30'])
    expect([date, (await send(date)).status]).toEqual([date, 422]);
  expect((await send('2026-01-01')).status).toBe(200);
});
