import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { Service } from '../service.ts';
import { controlOperations } from './control-operations.ts';
import { ControlError, controlOperation, createControl } from './control-server.ts';

let service: Service;
let control: ReturnType<typeof createControl>;
beforeEach(() => {
  service = new Service({ start: Date.UTC(2026, 0, 1), runs: false });
  const failing = controlOperation({
    method: 'POST',
    path: '/failing/{id}',
    summary: 'Fails.',
    body: z.object({ id: z.string() }),
    handle: ({ id }) => {
      if (id === 'known') throw new ControlError(409, 'The reason.');
      throw new Error('a secret of the service');
    },
  });
  control = createControl([...controlOperations(service), failing]);
});
afterEach(async () => {
  await control.close();
  await service.close();
});

interface Sent {
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

async function ask(request: string, { type = 'application/json', body, headers = {} }: Sent = {}) {
  const [method, url] = request.split(' ') as ['GET', string];
  const answer = await control.inject({
    method,
    url,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
    payload: body,
  });
  expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
  return { status: answer.statusCode, body: answer.json() };
}

test.each<[string, string, Sent, readonly [status: number, detail: string]]>([
  [
    'a page in a browser',
    'GET /teams',
    { headers: { origin: 'http://localhost:3000' } },
    [
      403,
      'The server refused the request, because its header Origin names a page of another site. If you trust the sender, add the host to allowed_hosts.',
    ],
  ],
  ['an unknown path', 'GET /nothing', {}, [404, 'Not Found']],
  ['an unknown path with a broken body', 'POST /nothing', { body: '{' }, [404, 'Not Found']],
  ['another method of a path', 'GET /faults/clear', {}, [405, 'Method Not Allowed']],
  ['a method that no path has', 'DELETE /teams', {}, [405, 'Method Not Allowed']],
  ['an unknown thing', 'POST /webhooks/ep_1/delete', {}, [404, 'There is no such endpoint.']],
  ['a conflict', 'POST /failing/known', {}, [409, 'The reason.']],
  ['a defect of the service', 'POST /failing/x', {}, [500, 'Internal Server Error']],
])('%s gets an answer with a text as detail', async (_, request, sent, [status, detail]) => {
  expect(await ask(request, sent)).toEqual({ status, body: { detail } });
});

const team = '/pipelines/6f1e2b3c-0000-4000-8000-000000000001';

test.each<[string, string, Sent, object]>([
  ['broken JSON', 'POST /teams', { body: '{"name": ' }, { loc: ['body'], type: 'json_invalid' }],
  [
    'a body of another type',
    'POST /teams',
    { type: 'text/plain', body: '{"name":"x"}' },
    { loc: ['body'], type: 'invalid_type' },
  ],
  ['a list', 'POST /teams', { body: '[]' }, { loc: ['body'], type: 'invalid_type' }],
  ['null', 'POST /teams', { body: 'null' }, { loc: ['body'], type: 'invalid_type' }],
  ['no body', 'POST /teams', {}, { loc: ['body', 'name'], type: 'missing' }],
  ['a missing member', 'POST /teams', { body: '{}' }, { loc: ['body', 'name'], type: 'missing' }],
  ['a member of another type', 'POST /teams', { body: '{"name":7}' }, { loc: ['body', 'name'], type: 'invalid_type' }],
  ['a member that is null', 'POST /teams', { body: '{"name":null}' }, { loc: ['body', 'name'], type: 'invalid_type' }],
  ['an unknown member', 'POST /teams', { body: '{"name":"x","regoin":"eu"}' }, { loc: ['body'], type: 'unrecognized_keys' }],
  ['an unknown member of the query', 'GET /requests?limt=1', {}, { loc: ['query'], type: 'unrecognized_keys' }],
  [
    'an unknown member within a list',
    'POST /pulls/script',
    { body: '{"provider":"oura","outcomes":[{"kind":"success","times":2}]}' },
    { loc: ['body', 'outcomes', 0], type: 'unrecognized_keys' },
  ],
  ['a wrong number in the query', 'GET /requests?limit=x', {}, { loc: ['query', 'limit'], type: 'invalid_type' }],
  ['a wrong id in the path', 'GET /pipelines/x', {}, { loc: ['path', 'team_id'], type: 'invalid_format' }],
  [
    'a wrong member beside a path',
    `POST ${team}`,
    { body: '{"azure_amqp":7}' },
    { loc: ['body', 'azure_amqp'], type: 'invalid_type' },
  ],
  [
    'an unknown operation',
    'POST /faults',
    { body: '{"on":"operation","match":{"operation":"x"},"effect":{"kind":"hang"}}' },
    { loc: ['body', 'match', 'operation'], type: 'custom' },
  ],
  [
    'a misspelt member of an outcome',
    'POST /pulls/script',
    { body: '{"provider":"oura","outcomes":[{"kind":"success","attempt":2}]}' },
    { loc: ['body', 'outcomes', 0], type: 'unrecognized_keys' },
  ],
  ['a path that cannot be decoded', 'GET /webhooks/%E0%A4%A', {}, { loc: ['path'], type: 'url_invalid' }],
])('%s gets 422 with a list of problems', async (_, request, sent, problem) => {
  const { status, body } = await ask(request, sent);
  expect([status, body]).toEqual([422, { detail: [{ msg: expect.any(String), ...problem }] }]);
});

test('an operation without input ignores a body', async () => {
  expect(await ask('POST /faults/clear', { body: '{' })).toEqual({ status: 200, body: { removed: 0 } });
});
