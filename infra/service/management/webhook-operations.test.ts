import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import { sendOverHttp } from '../webhooks/http-sender.ts';
import { managedTeam, START } from './webhooks.fixture.ts';

const NOW = '2026-01-01T00:00:00.000+00:00';
const LATER = '2026-01-01T00:00:01.000+00:00';
const HOUR = 3_600_000;
const unknown = 'ep_unknown';
const TYPE = 'daily.data.sleep.updated';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function start(...given: Parameters<typeof managedTeam>) {
  const team = managedTeam(...given);
  closing.push(team.close);
  return team;
}

/** Creates a webhook. Returns its path. */
async function create({ manage }: ReturnType<typeof start>, more: object = {}): Promise<string> {
  const { status, body } = await manage('POST', '', { url: 'http://x/', ...more });
  expect(status).toBe(200);
  return `/${body.id}`;
}

test('a webhook with an address only gets all events, without a limit', async () => {
  const { manage } = start();
  expect((await manage('POST', '', { url: 'http://x/' })).body).toEqual({
    id: expect.stringMatching(/^ep_/),
    url: 'http://x/',
    description: '',
    rate_limit: null,
    disabled: false,
    filter_types: null,
    created_at: NOW,
    updated_at: NOW,
  });
});

test('a change keeps missing members, and null clears the filter and the limit only', async () => {
  const team = start();
  const { manage, service } = team;
  const given = { url: 'http://x/', description: 'd', rate_limit: 3, disabled: true, filter_types: [TYPE] };
  const nullable = fc.record(
    {
      url: fc.constantFrom(null, 'http://y/'),
      description: fc.constantFrom(null, '', 'e'),
      rate_limit: fc.constantFrom(null, 1, 10_000),
      disabled: fc.constantFrom(null, true, false),
      filter_types: fc.constantFrom(null, [], ['daily.data.sleep.created', 'labtest.order.created']),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(nullable, async (change) => {
      const path = await create(team, given);
      const expected: Record<keyof typeof given, unknown> = { ...given };
      for (const [name, value] of Object.entries(change) as [keyof typeof given, unknown][])
        if (value !== null) expected[name] = value;
        else if (name === 'filter_types' || name === 'rate_limit') expected[name] = null;
      if (change.filter_types?.length === 0) expected.filter_types = null;
      const changed = await manage('PATCH', path, change);
      expect(changed).toMatchObject({ status: 200, body: expected });
      expect(await manage('GET', path)).toEqual({ ...changed, status: 200 });
    }),
    { seed: 42, numRuns: 60 },
  );
  const path = await create(team);
  await service.jobs.advanceTo(START + 1000);
  expect((await manage('PATCH', path, {})).body).toMatchObject({ created_at: NOW, updated_at: LATER });
});

test.each([
  [{}, [50, 10]],
  [{ limit: '250' }, [60]],
  [{ limit: '25' }, [25, 25, 10]],
  [{ limit: '20' }, [20, 20, 20]],
])('60 webhooks are listed with %j in pages of %j, the oldest first', async (query, sizes) => {
  const { manage, service, team_id } = start();
  const other = service.teams.create('second').team_id;
  const ids: string[] = [];
  for (let number = 0; number < 60; number++) {
    ids.push(service.endpoints.create(team_id, { url: 'http://x' }).endpoint_id);
    service.endpoints.create(other, { url: 'http://x' });
  }
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await manage(
      'GET',
      `?${new URLSearchParams({ ...query, ...(cursor === undefined ? {} : { next_cursor: cursor }) })}`,
    );
    pages.push(body.data.map(({ id }: { readonly id: string }) => id));
    cursor = body.next_cursor;
  }
  expect(pages.map(({ length }) => length)).toEqual(sizes);
  expect(pages.flat()).toEqual(ids);
});

test.each(['limit=0', 'limit=251', 'limit=x', 'limit=1.5', 'next_cursor=x'])('a list with %s is refused', async (query) => {
  expect((await start().manage('GET', `?${query}`)).status).toBe(422);
});

test.each([
  ['no address', { url: undefined }],
  ['an address of another protocol', { url: 'file:///etc/hosts' }],
  ['a limit of 0', { rate_limit: 0 }],
  ['a limit that is not a whole number', { rate_limit: 1.5 }],
  ['an unknown event type', { filter_types: ['daily.data.sleep.created', 'daily.data.slep.created'] }],
  ['the prefix of event types', { filter_types: ['daily.data.sleep'] }],
  ['an event type in capitals', { filter_types: ['DAILY.DATA.SLEEP.CREATED'] }],
  ['an empty event type', { filter_types: [''] }],
  ['a secret of another form', { secret: 'whsec_short' }],
])('a webhook with %s is refused', async (_, more) => {
  expect((await start().manage('POST', '', { url: 'http://x/', ...more })).status).toBe(422);
});

test('headers that look like credentials are named, and their values are not shown', async () => {
  const team = start();
  const path = await create(team);
  expect((await team.manage('GET', `${path}/headers`)).body).toEqual({ headers: {}, sensitive: [] });
  const hidden = ['Authorization', 'Cookie', 'X-Api-Key', 'Client-Secret', 'Token', 'X-Password', 'My-Signature'];
  const headers = { 'X-Own': '1', ...Object.fromEntries(hidden.map((name) => [name, 'planted'])), Accept: '*/*' };
  expect(await team.manage('PUT', `${path}/headers`, { headers })).toMatchObject({ status: 204, text: '' });
  const { text, body } = await team.manage('GET', `${path}/headers`);
  expect(body).toEqual({ headers: { 'x-own': '1', accept: '*/*' }, sensitive: hidden.map((name) => name.toLowerCase()) });
  expect(text).not.toContain('planted');
  const sent = team.service.endpoints.find(path.slice(1))!.headers;
  expect(sent).toMatchObject({ authorization: 'planted', 'x-own': '1' });
  await team.manage('PUT', `${path}/headers`, { headers: { 'x-other': '2' } });
  expect((await team.manage('GET', `${path}/headers`)).body).toEqual({ headers: { 'x-other': '2' }, sensitive: [] });
});

const onOne = [
  ['GET', '', undefined],
  ['PATCH', '', { description: 'changed' }],
  ['GET', '/headers', undefined],
  ['PUT', '/headers', { headers: {} }],
  ['GET', '/secret', undefined],
  ['POST', '/secret/rotate', {}],
  ['DELETE', '', undefined],
] as const;

test.each(onOne)('%s webhook%s answers 404 for an unknown webhook and for that of another team', async (method, rest, body) => {
  const team = start();
  const { manage, service, team_id } = team;
  const path = await create(team, { description: 'first' });
  const before = service.endpoints.find(path.slice(1));
  const other = service.teams.create('second').team_id;
  const detail = { status: 404, body: { detail: 'Webhook not found' } };
  expect(await manage(method, `/${unknown}${rest}`, body)).toMatchObject(detail);
  expect(await manage(method, `${path}${rest}`, body, other)).toMatchObject(detail);
  expect(service.endpoints.find(path.slice(1))).toEqual(before);
  expect((await manage(method, `${path}${rest}`, body, team_id)).status).toBeLessThan(300);
});

test('a deleted webhook is gone, and gets nothing', async () => {
  const urls: string[] = [];
  const team = start({
    send: async ({ url }) => {
      urls.push(url);
      return 204;
    },
  });
  const path = await create(team);
  await create(team, { url: 'http://y/' });
  expect(await team.manage('DELETE', path)).toEqual({ status: 204, text: '', body: undefined });
  expect((await team.manage('GET', path)).status).toBe(404);
  team.service.outbox.add(team.user, 'a', {});
  await team.service.jobs.settle();
  expect(urls).toEqual(['http://y/']);
});

interface Received {
  readonly headers: { readonly authorization?: string } & Record<string, string>;
  readonly body: string;
}

/** An HTTP server that keeps requests and answers with 204. */
async function receiver() {
  const got: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    got.push({ headers: request.headers as Received['headers'], body });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => new Promise((resolve) => void server.close(resolve)));
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** Returns whether a key verifies a webhook. */
function verifies(key: string, { headers, body }: Received): boolean {
  const named = (name: string) => headers[`svix-${name}`]!;
  const signed = { 'webhook-id': named('id'), 'webhook-timestamp': named('timestamp'), 'webhook-signature': named('signature') };
  try {
    return new Webhook(key).verify(body, signed) !== undefined;
  } catch {
    return false;
  }
}

test('events are signed with the secret of the webhook, and for 24 hours after a rotation with the old one, too', async () => {
  const { got, url } = await receiver();
  const team = start({ send: sendOverHttp });
  const path = await create(team, { url, filter_types: [TYPE] });
  await team.manage('PUT', `${path}/headers`, { headers: { Authorization: 'Bearer own' } });
  const secret = async (): Promise<string> => (await team.manage('GET', `${path}/secret`)).body.key;
  const { jobs, outbox } = team.service;
  const delivered = async (): Promise<Received> => {
    outbox.add(team.user, TYPE, { n: got.length });
    await jobs.settle();
    return got.at(-1)!;
  };
  const first = await secret();
  expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  const before = await delivered();
  expect(JSON.parse(before.body)).toMatchObject({ event_type: TYPE, data: { n: 0 } });
  expect(before.headers.authorization).toBe('Bearer own');
  expect(verifies(first, before)).toBe(true);

  expect(await team.manage('POST', `${path}/secret/rotate`, {})).toMatchObject({ status: 204, text: '' });
  const second = await secret();
  expect(second).not.toBe(first);
  expect(verifies(second, before)).toBe(false);
  await jobs.advanceTo(START + 24 * HOUR - 1);
  const during = await delivered();
  expect([first, second].map((key) => verifies(key, during))).toEqual([true, true]);
  await jobs.advanceTo(START + 24 * HOUR);
  const after = await delivered();
  expect([first, second].map((key) => verifies(key, after))).toEqual([false, true]);

  const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  await team.manage('POST', `${path}/secret/rotate`, { key: given });
  expect(await secret()).toBe(given);
  expect(verifies(given, await delivered())).toBe(true);
  expect(got).toHaveLength(4);
});
