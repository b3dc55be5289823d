import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServedService, startService } from '../served-service.ts';
import { DAY, MINUTE, newUser, patient, START, testOf } from './orders.fixture.ts';

let served: ServedService;
let team: string;
let user: string;
let key: string;
beforeEach(async () => {
  served = await startService({ start: START, runs: false, seed: 3 });
  ({ team_id: team, api_key: key } = served.service.teams.create('first'));
  user = newUser(served.service, team, 'c-1');
});
afterEach(() => served[Symbol.asyncDispose]());

const ask = async (path: string, payload?: object) => {
  const init = payload === undefined ? {} : { method: 'POST', body: JSON.stringify(payload) };
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  return fetch(`${served.url}${path}`, { ...init, headers });
};
const pass = (ms: number) => served.service.jobs.advanceTo(served.service.clock.now() + ms);

/** Orders a lab test, and returns its id when it has a requisition form. */
async function ordered(): Promise<string> {
  const body = { user_id: user, order_set: { lab_test_ids: [testOf('walk_in_test')] }, ...patient };
  const { order } = (await (await ask('/v3/order', body)).json()) as { order: { id: string } };
  await pass(5 * MINUTE);
  return order.id;
}
const addressOf = async (order: string) =>
  ((await (await ask(`/v3/order/${order}`)).json()) as { requisition_form_url: string }).requisition_form_url;

/** Opens an address without a key. */
async function open(address: string) {
  const answer = await fetch(address);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isPdf = answer.headers.get('content-type') === 'application/pdf' && bytes.toString('latin1', 0, 5) === '%PDF-';
  return { status: answer.status, bytes, detail: isPdf ? 'PDF' : (JSON.parse(bytes.toString()) as { detail: string }).detail };
}

test('an address is valid for 7 days, and then refused', async () => {
  const id = await ordered();
  const address = await addressOf(id);
  const download = await ask(`/v3/order/${id}/requisition/pdf`);
  expect(download.headers.get('content-type')).toBe('application/pdf');
  const form = Buffer.from(await download.arrayBuffer());
  expect(await open(address)).toEqual({ status: 200, bytes: form, detail: 'PDF' });
  await pass(7 * DAY - 1000);
  expect((await open(address)).status).toBe(200);
  await pass(1000);
  expect(await open(address)).toMatchObject({
    status: 403,
    detail: 'This address expired after 7 days. Download the form by the API.',
  });
  expect((await open(await addressOf(id))).status).toBe(200);
  expect((await ask(`/v3/order/${id}/requisition/pdf`)).status).toBe(200);
});

test('an address that was changed is refused', async () => {
  const [address, other] = [await addressOf(await ordered()), await ordered()];
  const { pathname, searchParams } = new URL(address);
  const later = Number(searchParams.get('expires')) + 1;
  const wrong = [
    address.replace(pathname, `/requisition_forms/${other}.pdf`),
    address.replace(/expires=\d+/, `expires=${later}`),
    address.slice(0, -1),
    `${address}A`,
    address.replace(/&signature=.*/, ''),
    address.replace('.pdf', ''),
    address.replace(/expires=\d+/, 'expires=x'),
  ];
  for (const one of wrong)
    expect(await open(one), one).toMatchObject({ status: 403, detail: 'The signature of this address is not valid' });
});

test('the form of an order that is gone is not found', async () => {
  const address = await addressOf(await ordered());
  served.service.users.delete(team, user);
  expect(await open(address)).toMatchObject({ status: 404, detail: 'Order not found' });
});

test('an order has no form before its requisition', async () => {
  const body = { user_id: user, order_set: { lab_test_ids: [testOf('walk_in_test')] }, ...patient };
  const { order } = (await (await ask('/v3/order', body)).json()) as {
    order: { id: string; requisition_form_url: string | null };
  };
  expect(order.requisition_form_url).toBeNull();
  const answer = await ask(`/v3/order/${order.id}/requisition/pdf`);
  expect([answer.status, await answer.json()]).toEqual([404, { detail: 'The order has no requisition form' }]);
});
