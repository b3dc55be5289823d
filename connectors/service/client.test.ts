import { isAortaError } from '@aorta/runtime';
import { afterEach, expect, test } from 'vitest';
import { clockChanges, moveClocks } from '../../infra/machine/system-clock.fixture.ts';
import { type Answerer, type ApiServer, answer, startApiServer } from './api-server.fixture.ts';
import { everyPage } from './client.ts';
import type { ServiceClient } from './operations.ts';
import type { ServiceOptions } from './options.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(
  answerer: Answerer,
  options: Partial<ServiceOptions> = {},
  surroundings: Parameters<typeof startApiServer>[2] = {},
): Promise<ApiServer> {
  const server = await startApiServer(answerer, options, surroundings);
  closing.push(server.close);
  return server;
}

const noPulls = { data: [], next_cursor: null };

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    if (!isAortaError(error)) throw error;
    expect(`${error.message} ${error.remedy}`).not.toMatch(/planted/);
    return error.code;
  }
}

test('a request sends the key in the configured header, and the answer keeps unknown fields', async () => {
  let headers: Record<string, unknown> = {};
  const pull = {
    status: 'resting',
    timeline: { scheduled_at: '2026-01-01T00:00:00+00:00', ended_at: null },
    error_details: 'a_new_detail',
    release: 'r1',
    new_member: { a: 1 },
  };
  const { client, asked } = await serve(
    (request, response) => {
      headers = request.headers;
      answer(
        response,
        {
          data: [{ user_id: 'u1', provider: { oura: { pulled: { sleep: pull }, not_pulled: ['body'] } } }, { user_id: 7 }],
          next_cursor: 'c2',
        },
        200,
        { date: 'Thu, 01 Jan 2026 10:00:00 GMT' },
      );
    },
    { key_header: 'X-Team-Key' },
  );
  const { value, servedAt, body } = await client.historicalPulls({ userId: 'u1', provider: 'oura', cursor: 'c1' });
  expect(headers['x-team-key']).toBe('planted-key');
  expect(asked).toEqual(['/api/v2/introspect/historical_pull?user_id=u1&provider=oura&next_cursor=c1']);
  expect(servedAt).toBe(Date.UTC(2026, 0, 1, 10) * 1000);
  expect(JSON.parse(body.toString()).data).toHaveLength(2);
  expect(value.next).toBe('c2');
  expect(value.misshapen).toBe(1);
  expect(value.items[0]!.provider.oura!.pulled.sleep).toMatchObject({
    status: 'resting',
    range_start: null,
    error_details: 'a_new_detail',
    timeline: { scheduled_at: '2026-01-01T00:00:00+00:00', started_at: null, ended_at: null },
    new_member: { a: 1 },
  });
});

test.each([['None'], [null], [''], [undefined]])('the cursor %j ends the list', async (cursor) => {
  const { client } = await serve((_, response) => answer(response, { data: [], next_cursor: cursor }));
  expect((await client.historicalPulls()).value.next).toBeUndefined();
});

test('if the next cursor of a page has occurred before, the iteration fails and does not yield the page', async () => {
  const { client, asked } = await serve((request, response) =>
    answer(response, { data: [], next_cursor: request.url!.includes('a') && request.url!.includes('next_cursor=a') ? 'b' : 'a' }),
  );
  let pages = 0;
  const walk = async (): Promise<void> => {
    for await (const _ of everyPage('GET /v2/introspect/historical_pull', (cursor) => client.historicalPulls({ cursor })))
      pages++;
  };
  expect(await codeOf(walk())).toBe('AORTA-SERVICE-CURSOR');
  expect(pages).toBe(2);
  expect(asked).toHaveLength(3);
});

test.each([429, 503])('after status %i with Retry-After, all calls wait as long as the service asks', async (status) => {
  const { client, pauses } = await serve((_, response, nth) =>
    nth === 1 ? answer(response, { detail: 'planted' }, status, { 'retry-after': '7' }) : answer(response, noPulls),
  );
  await client.historicalPulls();
  await client.historicalPulls();
  expect(pauses).toEqual([7000]);
});

test.each(clockChanges)('if the clock is %s during a call, the call still pauses and succeeds', async (_, jump) => {
  const clock = moveClocks();
  const { client, pauses } = await serve(
    (_request, response, nth) => {
      clock.set(nth % 2 === 0 ? -jump : jump);
      if (nth < 4) answer(response, {}, 503, { 'retry-after': '7' });
      else answer(response, noPulls);
    },
    {},
    { clock },
  );
  expect(await codeOf(client.historicalPulls({}))).toBe('no error');
  expect(pauses).toEqual([7_000, 7_000, 7_000]);
});

test('a Retry-After date is compared with the clock of the service', async () => {
  const { client, pauses } = await serve((_, response, nth) =>
    nth === 1
      ? answer(response, {}, 429, { date: 'Tue, 05 Jan 2021 10:00:00 GMT', 'retry-after': 'Tue, 05 Jan 2021 10:00:09 GMT' })
      : answer(response, noPulls),
  );
  await client.historicalPulls();
  expect(pauses).toEqual([9000]);
});

test('without Retry-After, the pauses double until the total deadline', async () => {
  const { client, pauses, asked } = await serve((_, response) => answer(response, {}, 503), { deadline_total_s: 10 });
  expect(await codeOf(client.historicalPulls())).toBe('AORTA-SERVICE-BUSY');
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000]);
  expect(asked).toHaveLength(6);
});

test('if Retry-After exceeds the total deadline, this call and later calls fail at once', async () => {
  const { client, pauses, asked } = await serve((_, response) => answer(response, {}, 429, { 'retry-after': '3600' }));
  expect(await codeOf(client.historicalPulls())).toBe('AORTA-SERVICE-BUSY');
  expect(await codeOf(client.historicalPulls())).toBe('AORTA-SERVICE-BUSY');
  expect(pauses).toEqual([]);
  expect(asked).toHaveLength(1);
});

test('retries stay within the caller’s budget', async () => {
  // The budget allows two calls per minute. Only the client's pauses advance its clock.
  const spent: number[] = [];
  const { client, pauses, asked } = await serve((_, response) => answer(response, {}, 503), { deadline_total_s: 100 });
  const elapsed = (): number => pauses.reduce((sum, pause) => sum + pause, 0);
  const budget = {
    wait: () => Math.max(0, (spent.at(-1) ?? 0) + 30_000 - elapsed()),
    spend: () => void spent.push(elapsed()),
  };
  expect(await codeOf(client.historicalPulls({}, undefined, budget))).toBe('AORTA-SERVICE-BUSY');
  expect(spent).toEqual([30_000, 60_000, 90_000]);
  expect(asked).toHaveLength(4);
});

test('a call is retried when its connection breaks', async () => {
  const { client } = await serve((request, response, nth) =>
    nth < 3 ? void request.socket.destroy() : answer(response, noPulls),
  );
  expect((await client.historicalPulls()).value.items).toEqual([]);
});

test('a call without an answer fails after its deadline', async () => {
  const { client } = await serve(() => {}, { deadline_s: 0.05, deadline_total_s: 1 });
  expect(await codeOf(client.historicalPulls())).toBe('AORTA-SERVICE-UNREACHABLE');
});

test('a call is retried when its answer is incomplete', async () => {
  const { client } = await serve((_, response, nth) => {
    if (nth > 1) return answer(response, noPulls);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": [');
  });
  expect((await client.historicalPulls()).value.items).toEqual([]);
});

test('an aborted call rejects with the reason of the signal', async () => {
  const { client } = await serve(() => {});
  const stop = new AbortController();
  const asked = client.historicalPulls({}, stop.signal);
  stop.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

test('concurrent calls do not exceed the configured number', async () => {
  let open = 0;
  let most = 0;
  const { client } = await serve(
    (_, response) => {
      most = Math.max(most, ++open);
      setImmediate(() => {
        open--;
        answer(response, noPulls);
      });
    },
    { concurrency: 2 },
  );
  await Promise.all(Array.from({ length: 9 }, () => client.historicalPulls()));
  expect(most).toBe(2);
});

const html = '<!doctype html><p>planted';
const refused: readonly [string, number, string, string, string][] = [
  ['an unknown key', 401, 'application/json', '{"detail":"planted"}', 'AORTA-SERVICE-KEY'],
  ['a forbidden operation', 403, 'application/json', '{"detail":"planted"}', 'AORTA-SERVICE-FORBIDDEN'],
  ['closed beta in plain text', 400, 'text/plain', 'planted: this endpoint is in closed beta', 'AORTA-SERVICE-NOT-ENABLED'],
  ['closed beta in JSON', 403, 'application/json', '{"detail":"Closed beta: planted"}', 'AORTA-SERVICE-NOT-ENABLED'],
  ['closed beta as 404', 404, 'text/plain', 'Not enabled for your team, planted', 'AORTA-SERVICE-NOT-ENABLED'],
  ['closed beta with 200', 200, 'text/plain', 'closed beta planted', 'AORTA-SERVICE-NOT-ENABLED'],
  ['404 of the service', 404, 'application/json', '{"detail":"User not found: planted"}', 'AORTA-SERVICE-GONE'],
  ['404 of a router', 404, 'application/json', '{"detail":"Not Found"}', 'AORTA-SERVICE-REFUSED'],
  ['404 of a proxy', 404, 'text/html', html, 'AORTA-SERVICE-REFUSED'],
  ['an invalid request', 422, 'application/json', '{"detail":[{"input":"planted"}]}', 'AORTA-SERVICE-REFUSED'],
  ['an HTML page', 200, 'text/html', html, 'AORTA-SERVICE-ANSWER'],
  ['an HTML page with the content type of JSON', 200, 'application/json', html, 'AORTA-SERVICE-ANSWER'],
  ['JSON of an unexpected form', 200, 'application/json', '["planted"]', 'AORTA-SERVICE-ANSWER'],
  ['a redirection', 302, 'text/plain', 'planted', 'AORTA-SERVICE-REFUSED'],
];

test.for(refused)('the response "%s" causes a specific error and no retry', async ([_, status, contentType, body, code]) => {
  const { client, asked } = await serve((_request, response) => {
    response
      .writeHead(status, { 'content-type': contentType, ...(status === 302 ? { location: '/api/elsewhere' } : {}) })
      .end(body);
  });
  expect(await codeOf(client.historicalPulls())).toBe(code);
  expect(asked).toHaveLength(1);
});

test('an answer above the size limit is rejected', async () => {
  const { client } = await serve((_, response) => answer(response, { data: ['x'.repeat(200_000)] }), { answer_bytes: 65_536 });
  expect(await codeOf(client.workoutStream('w'))).toBe('AORTA-SERVICE-TOO-LARGE');
});

test('an id cannot change the path of a request', async () => {
  const { client, asked } = await serve((_, response) => answer(response, {}));
  await client.workoutStream('../../v2/user?x=1#y');
  expect(asked).toEqual(['/api/v2/timeseries/workouts/..%2F..%2Fv2%2Fuser%3Fx%3D1%23y/stream']);
});

test('a number that a double cannot represent keeps its original spelling', async () => {
  const sent = '{"sleep":[{"id":"s","big":9007199254740993,"huge":1e400,"plain":1.5e3}]}';
  const { client } = await serve((_, response) => void response.end(sent));
  const { value } = await client.summaries('sleep', 'u', { from: '2026-01-01', to: '2026-01-02' });
  expect(JSON.stringify(value)).toBe('[{"id":"s","big":9007199254740993,"huge":1e400,"plain":1500}]');
});

test('every operation requests its documented path', async () => {
  const { client, asked } = await serve((_, response) =>
    answer(response, {
      data: [],
      users: [],
      user_id: 'u',
      providers: [],
      groups: { oura: [{ source: {}, data: [] }, 5] },
      meals: [{}],
      orders: [{ id: 'o', user_id: 'u' }],
      results: [],
      markers: [{ id: 1 }, {}],
      total: 2,
      next_cursor: 'None',
    }),
  );
  const range = { from: '2026-01-01', to: '2026-01-31' };
  const calls: readonly ((client: ServiceClient) => Promise<unknown>)[] = [
    (one) => one.resources({ userLimit: 5 }),
    (one) => one.users({ offset: 500, limit: 500 }),
    (one) => one.user('u'),
    (one) => one.connections('u'),
    (one) => one.summaries('meal', 'u', range),
    (one) => one.profile('u', 'oura'),
    (one) => one.groupedTimeseries('u', 'body_weight', { ...range, cursor: 'x' }),
    (one) => one.orders({ userId: 'u', page: 1, size: 100 }),
    (one) => one.orderResult('o'),
    (one) => one.markers({ page: 2, size: 100 }),
    (one) => one.labTests({ limit: 50 }),
  ];
  for (const call of calls) await call(client);
  expect(asked.map((path) => path.replace('/api', ''))).toEqual([
    '/v2/introspect/resources?user_limit=5',
    '/v2/user?offset=500&limit=500',
    '/v2/user/u',
    '/v2/user/providers/u',
    '/v2/summary/meal/u?start_date=2026-01-01&end_date=2026-01-31',
    '/v2/summary/profile/u?provider=oura',
    '/v2/timeseries/u/body_weight/grouped?start_date=2026-01-01&end_date=2026-01-31&next_cursor=x',
    '/v3/orders?user_id=u&page=1&size=100',
    '/v3/order/o/result',
    '/v3/lab_tests/markers?page=2&size=100',
    '/v3/lab_test?lab_test_limit=50&generation_method=all',
  ]);
  expect((await client.markers({ page: 1, size: 1 })).value).toMatchObject({ misshapen: 1, total: 2 });
});
