import { startService } from '@aorta/service';
import { expect, test } from 'vitest';
import { exampleOf } from '../../infra/service/openapi/example.ts';
import { controlExamples, LARGEST, START } from './control-examples.ts';
import type { Sent } from './control-recorder.ts';
import type { Operation } from './exchange.ts';
import { mutantsOf } from './malformed-values.ts';
import { startServiceUnderTest } from './schemathesis/service-under-test.ts';

type Under = Awaited<ReturnType<typeof startServiceUnderTest>>;

interface Body {
  readonly operation: Operation;
  readonly body: object;
}

/** Returns bodies with as many members as possible, and with values that exist in the service. */
function bodiesOf({ service, document, examples }: Under): Body[] {
  const { paths, components } = document as {
    paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: object }> } }>>;
    components: { schemas: Record<string, object> };
  };
  const taking = service.operations.filter(({ body, multipart }) => body !== undefined && multipart === undefined);
  return taking.map((operation) => {
    const { content } = paths[operation.path]![operation.method.toLowerCase()]!.requestBody;
    const described = exampleOf(content['application/json']!.schema as never, components.schemas as never);
    return { operation, body: merged(described, examples.bodies[operation.id]) };
  });
}

/** Merges the members of two values. Those of the second one win. */
function merged(first: unknown, second: unknown): object {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(first) || !isObject(second)) return (second ?? first) as object;
  const names = [...new Set([...Object.keys(first as object), ...Object.keys(second as object)])];
  return Object.fromEntries(names.map((name) => [name, merged((first as never)[name], (second as never)[name])]));
}

/** Returns the address of an operation, with the first known value of each parameter of its path. */
function addressOf({ id, path }: Operation, { examples, url }: Under): string {
  const known = (name: string) => (examples.ofOperation[id]?.[name] ?? examples.parameters[name])?.[0] ?? 'x';
  return url + path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(known(name)));
}

/** Lists that compare, search or show what requests have stored. */
const lists = [
  '/orders?search_input=a',
  '/orders?patient_name=a',
  '/orders?shipping_recipient_name=a',
  '/orders?order_key=patient_name',
  '/v2/user?limit=500',
  '/v2/user/metrics',
  '/v2/introspect/historical_pull',
  '/v3/unmatched_result?search_input=a',
];
const managedLists = [
  '/team',
  '/team?search_query=a',
  '/management_key',
  '/team_api_keys/sandbox/us',
  '/team_etl_pipelines/sandbox/us',
];

test('no JSON value at any place of a body of the API leads to a 5xx, then or later', async () => {
  await using under = await startServiceUnderTest();
  const { service, url, key, managementKey } = under;
  const org = service.organizations.default().org_id;
  const headers = { 'x-service-api-key': key, 'x-management-key': managementKey, 'content-type': 'application/json' };
  const bodies = bodiesOf(under);
  expect(bodies.length).toBeGreaterThan(30);
  for (const { operation, body } of bodies)
    for (const mutant of mutantsOf(body)) {
      const { status } = await fetch(addressOf(operation, under), { method: operation.method, headers, body: mutant });
      expect([operation.id, mutant.slice(0, 2_000), status < 500]).toEqual([operation.id, expect.any(String), true]);
    }
  const looks = [...lists, ...managedLists.map((path) => `/v1/org/${org}${path}`)];
  for (const path of looks) expect([path, (await fetch(url + path, { headers })).status]).toEqual([path, 200]);
});

test('no JSON value at any place of a body of the control port leads to a 5xx', async () => {
  await using served = await startService({
    seed: 1,
    start: Date.parse(START),
    runs: false,
    sendToHub: async ({ events }) => events.filter(({ body }) => body.length > LARGEST),
  });
  const send = async ({ method, target, headers }: Sent, port: string, body: string | undefined): Promise<number> => {
    const answer = await fetch(port + target, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const textOf = ({ body }: Sent) => (body === undefined ? undefined : JSON.stringify(body));
  for (const example of await controlExamples()) {
    for (const one of example.before) await send(one, one.port === 'API' ? served.url : served.controlUrl, textOf(one));
    if (example.body !== undefined)
      for (const body of mutantsOf(example.body)) {
        const status = await send(example, served.controlUrl, body);
        expect([example.operation, body.slice(0, 300), status < 500]).toEqual([example.operation, expect.any(String), true]);
      }
    await send(example, served.controlUrl, textOf(example));
  }
});
