import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { controlOperations } from './control/control-operations.ts';
import { createControl } from './control/control-server.ts';
import { Service } from './service.ts';

const START = Date.UTC(2026, 0, 1);
const connection_string = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5';

/** Addresses differ between runs. */
const withoutPort = (text: string): string => text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:port');

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** An HTTP server that notes webhooks. It answers with status 500 to every third one that it has not seen before. */
async function receiver() {
  const got: string[] = [];
  const failing = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const id = request.headers['svix-id'] as string;
    got.push(`${request.url} ${id} ${body}`);
    // The id decides, because the order of webhooks that are sent at the same time may differ.
    const isFirst = !failing.has(`${request.url} ${id}`);
    failing.add(`${request.url} ${id}`);
    response.writeHead(isFirst && id.charCodeAt(id.length - 1) % 3 === 0 ? 500 : 204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ended.push(() => new Promise((resolve) => void server.close(resolve)));
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Makes the same calls to a new service. Returns all answers, webhooks and events in hubs. */
async function run(seed: number) {
  const { got, url: hook } = await receiver();
  const inHubs: string[] = [];
  const service = new Service({
    start: START,
    runs: false,
    seed,
    sendToHub: async ({ hub, events }) => {
      for (const { body, properties } of events) {
        const text = properties['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        inHubs.push(`${hub} ${properties['idempotency-key']} ${text}`);
      }
      return [];
    },
  });
  ended.push(() => service.close());
  const api = await service.serve();
  ended.push(() => api.close());
  const control = createControl(controlOperations(service));
  ended.push(() => control.close());

  const answers: string[] = [];
  const steer = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await control.inject({ method, url, payload });
    answers.push(withoutPort(`${method} ${url} ${answer.statusCode} ${answer.body}`));
    return answer.json();
  };
  const { team_id, api_key } = await steer('POST', '/teams', { name: 'first' });
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${api.url}${path}`, {
      method,
      headers: { 'x-service-api-key': api_key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    answers.push(withoutPort(`${method} ${path} ${answer.status} ${text}`));
    return text;
  };

  for (const name of ['one', 'two']) await steer('POST', '/webhooks', { team_id, url: `${hook}/${name}` });
  await steer('POST', `/pipelines/${team_id}`, { azure_amqp: { connection_string, default_event_hub: 'rest' } });
  const chance = { probability: 0.4 };
  await steer('POST', '/faults', { on: 'delivery', match: { via: 'webhook' }, effect: { kind: 'lose', status: 502 }, ...chance });
  await steer('POST', '/faults', { on: 'delivery', effect: { kind: 'duplicate' }, ...chance });
  await steer('POST', '/faults', { on: 'delivery', effect: { kind: 'reorder', behind: 2 }, ...chance });
  await steer('POST', '/faults', { on: 'operation', effect: { kind: 'status', status: 503 }, ...chance });
  for (let number = 0; number < 6; number++) {
    const made = await ask('POST', '/v2/user', { client_user_id: `c-${number}` });
    const { user_id } = JSON.parse(made);
    if (user_id === undefined) continue;
    for (const provider of ['oura', 'freestyle_libre']) await ask('POST', '/v2/link/connect/demo', { user_id, provider });
    await steer('POST', '/connections/break', { user_id, provider: 'oura' });
    await steer('POST', '/clock/advance', { seconds: 3 });
  }
  await ask('GET', '/v2/user');
  await steer('POST', '/clock/advance', { seconds: 86_400 });
  const { webhooks } = await steer('GET', '/webhooks');
  for (const { endpoint_id } of webhooks) await steer('GET', `/webhooks/${endpoint_id}/deliveries?limit=1000`);
  await steer('POST', `/webhooks/${webhooks[0].endpoint_id}/rotate_secret`);
  await steer('GET', '/faults');
  await steer('GET', `/pipelines/${team_id}`);
  return { answers, webhooks: got.toSorted(), inHubs };
}

test('two services with the same seed and the same calls have equal answers, webhooks and events in hubs', async () => {
  const [first, second] = [await run(1), await run(1)];
  // The comparison means little if the faults did not occur.
  expect(new Set(first.webhooks).size).toBeLessThan(first.webhooks.length);
  expect(new Set(first.inHubs).size).toBeLessThan(first.inHubs.length);
  expect(first.answers.some((answer) => / 503 /.test(answer))).toBe(true);
  expect(second.answers).toEqual(first.answers);
  expect(second.webhooks).toEqual(first.webhooks);
  expect(second.inHubs).toEqual(first.inHubs);
});

test('another seed gives other ids and keys', async () => {
  const [first, second] = [await run(1), await run(2)];
  expect(second.answers[0]).not.toBe(first.answers[0]);
  expect(first.webhooks.filter((webhook) => second.webhooks.includes(webhook))).toEqual([]);
});
