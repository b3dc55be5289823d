import { afterEach, expect, test } from 'vitest';
import { openLab, patient, testOf } from '../orders/orders.fixture.ts';
import type { Operation } from './operation.ts';

let lab: ReturnType<typeof openLab>;
afterEach(() => lab[Symbol.asyncDispose]());

/** 1 September 2024 and 1 October 2025, in seconds since 1970. */
const [SEPTEMBER, OCTOBER] = ['@1725148800', '@1759276800'];

/** Sends a request, and returns the status and the deprecation headers of the answer. */
async function told(method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { 'x-service-api-key': lab.key };
  const answer = await lab.app.inject({ method, url, headers, payload });
  const { deprecation, sunset, link } = answer.headers;
  return { status: answer.statusCode, deprecation, sunset, link };
}
const none = { deprecation: undefined, sunset: undefined, link: undefined };
const since = (deprecation: string) => ({ ...none, deprecation });

test('the use of lab_test_id is told, and an order without it has the deprecation of the form address only', async () => {
  lab = openLab({ start: Date.UTC(2024, 8, 1) });
  const asked = { user_id: lab.user, ...patient };
  const old = { ...asked, lab_test_id: testOf('walk_in_test') };
  expect(await told('POST', '/v3/order', old)).toEqual({ status: 422, ...since(SEPTEMBER) });
  const order = { ...asked, order_set: { lab_test_ids: [testOf('walk_in_test')] } };
  expect(await told('POST', '/v3/order', order)).toEqual({ status: 200, ...since(SEPTEMBER) });
});

test('before its date, a deprecation is not told', async () => {
  lab = openLab({ start: Date.UTC(2024, 7, 31, 23) });
  await lab.order('walk_in_test');
  for (const url of ['/v3/orders', '/v3/lab_tests', '/v2/timeseries/x/heartrate'])
    expect((await told('GET', url)).deprecation).toBe(url.startsWith('/v2') ? '@1719792000' : undefined);
});

test('answers with requisition_form_url, and answers with results, which had value, tell the deprecations', async () => {
  lab = openLab();
  const id = await lab.order('walk_in_test');
  await lab.pass(10 * 86_400_000);
  const transaction = (await lab.ask('GET', `/v3/order/${id}`)).body.order_transaction.id;
  for (const url of [
    `/v3/order/${id}`,
    '/v3/orders',
    '/orders',
    `/v3/order/${id}/result`,
    `/v3/order_transaction/${transaction}/result`,
  ])
    expect([url, await told('GET', url)]).toEqual([url, { status: 200, ...since(SEPTEMBER) }]);
  for (const url of [`/v3/order/${id}/requisition/pdf`, `/v3/order/${id}/result/metadata`, '/v3/lab_test'])
    expect([url, await told('GET', url)]).toEqual([url, { status: 200, ...none }]);
});

test('the older list of lab tests says since when, until when, and what replaces it', async () => {
  lab = openLab();
  expect(await told('GET', '/v3/lab_tests')).toEqual({
    status: 200,
    deprecation: OCTOBER,
    sunset: 'Thu, 01 Oct 2026 00:00:00 GMT',
    link: '</v3/lab_test>; rel="successor-version"',
  });
});

/** Returns whether the answer of an operation has a member with this name, at any depth. */
const hasMember = ({ answers }: Operation, name: string): boolean => {
  const seen = new Set<unknown>();
  const look = (schema: unknown): boolean => {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
    seen.add(schema);
    const { shape, element, options, innerType } = (schema as { def: Record<string, unknown> }).def;
    if (shape !== undefined && Object.hasOwn(shape as object, name)) return true;
    return [element, innerType, ...((options as unknown[]) ?? []), ...Object.values((shape as object) ?? {})].some(look);
  };
  return look(answers[200]?.schema);
};

test('every operation whose answer has requisition_form_url declares the deprecation, and no other', () => {
  lab = openLab();
  const declares = ({ deprecatedParts = [] }: Operation) =>
    deprecatedParts.some(({ names }) => names.includes('requisition_form_url'));
  const { operations } = lab.service;
  expect(operations.filter(declares).length).toBeGreaterThan(9);
  for (const operation of operations)
    expect([operation.id, declares(operation)]).toEqual([operation.id, hasMember(operation, 'requisition_form_url')]);
});
