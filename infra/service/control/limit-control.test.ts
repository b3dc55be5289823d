import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServedService, startService } from '../served-service.ts';

let served: ServedService;
let key: string;
beforeEach(async () => {
  served = await startService({ start: Date.UTC(2026, 0, 1), runs: false });
  key = served.service.teams.create('first').api_key;
});
afterEach(() => served[Symbol.asyncDispose]());

async function limits(body?: object) {
  const sent = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${served.controlUrl}/limits`, sent);
  return { status: answer.status, body: await answer.json() };
}
const users = () => fetch(`${served.url}/v2/user`, { headers: { 'x-service-api-key': key } });
/** No window ends while a test runs. */
const DAY = { seconds: 86_400 };

test('without a setting there is no limit', async () => {
  expect(await limits()).toEqual({ status: 200, body: { requests: null, seconds: 60 } });
  for (let time = 0; time < 20; time += 1) expect((await users()).status).toBe(200);
});

test('a limit holds until it is removed, and the counts begin again when it is set again', async () => {
  expect(await limits({ requests: 2 })).toEqual({ status: 200, body: { requests: 2, seconds: 60 } });
  const set = { requests: 1, ...DAY };
  expect(await limits(set)).toEqual({ status: 200, body: set });
  expect(await limits()).toEqual({ status: 200, body: set });
  expect([(await users()).status, (await users()).status]).toEqual([200, 429]);
  await limits(set);
  expect([(await users()).status, (await users()).status]).toEqual([200, 429]);
  expect(await limits({ requests: null })).toEqual({ status: 200, body: { requests: null, seconds: 60 } });
  expect([(await users()).status, (await users()).status]).toEqual([200, 200]);
});

test('the log has requests over the limit, and fault rules do not see them', async () => {
  const rule = { on: 'operation', effect: { kind: 'status', status: 503 }, match: {} };
  await fetch(`${served.controlUrl}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rule),
  });
  await limits({ requests: 1, ...DAY });
  expect([(await users()).status, (await users()).status]).toEqual([503, 429]);
  expect(served.service.requests.after(0).map(({ status }) => status)).toEqual([503, 429]);
  expect(served.service.faults.list()).toMatchObject([{ used: 1 }]);
});

test.each([{}, { requests: 0 }, { requests: 1.5 }, { requests: 1, seconds: 0 }, { requests: 1, seconds: 90_000 }])(
  'the limit %j is refused',
  async (body) => {
    expect((await limits(body)).status).toBe(422);
    expect((await limits()).body).toEqual({ requests: null, seconds: 60 });
  },
);
