import { codecOf } from '@aorta/schemas';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { numbered } from '../../streams/records.fixture.ts';
import { RegisteredForm, SingleObject } from './record-form.ts';
import { startRegistry } from './registry-server.fixture.ts';
import { openRegistry } from './schema-registry.ts';

let server: Awaited<ReturnType<typeof startRegistry>>;
const single = new SingleObject({ keep: async () => {}, find: async () => undefined });
const form = () =>
  new RegisteredForm(
    openRegistry({ url: server.url, user: 'me', password: 'pass:word' }),
    (stream) => `a.${stream}-value`,
    single,
  );

beforeEach(async () => {
  server = await startRegistry();
});
afterEach(() => server.close());

test('a record contains the id of its schema, and another process uses the id to decode the record', async () => {
  const writer = form();
  const early = writer.encode('unrouted', numbered(0));
  await writer.declare('redelivered');
  await writer.declare('unrouted');
  const values = [early, writer.encode('unrouted', numbered(1, 300_000)), writer.encode('unrouted', numbered(2))];
  for (const value of values) expect([value[0], value.readUInt32BE(1)]).toEqual([0, 2]);
  const reader = form();
  for (const [index, value] of values.entries())
    expect(codecOf('unrouted').encode(await reader.decode('unrouted', value))).toEqual(
      codecOf('unrouted').encode(numbered(index, index === 1 ? 300_000 : 8)),
    );
  expect([...server.subjects.keys()]).toEqual(['a.redelivered-value', 'a.unrouted-value']);
  // One lookup serves all records, and every request is authenticated.
  expect(server.asked.filter((line) => line === 'GET /schemas/ids/2').length).toBe(1);
  expect(new Set(server.authorizations)).toEqual(new Set([`Basic ${Buffer.from('me:pass:word').toString('base64')}`]));
});

test('a record written by an earlier version is decoded into the current record type', async () => {
  const schema = JSON.parse(codecOf('unrouted').schema) as { fields: { name: string }[] };
  const earlier = JSON.stringify({ ...schema, fields: schema.fields.filter(({ name }) => name !== 'key') });
  const id = await openRegistry({ url: server.url }).register('a.unrouted-value', earlier);
  const whole = codecOf('unrouted')
    .encode({ ...numbered(3), key: null })
    .subarray(10);
  // Remove the field `key`. It is null, which is encoded as the one byte before the body.
  const at = whole.length - 1 - 8 - 1;
  const value = Buffer.concat([Buffer.from([0, 0, 0, 0, id]), whole.subarray(0, at), whole.subarray(at + 1)]);
  expect(await form().decode('unrouted', value)).toEqual({ ...numbered(3), key: null });
});

test('records written before the registry was configured are still decoded', async () => {
  expect(await form().decode('unrouted', single.encode('unrouted', numbered(1)))).toEqual(numbered(1));
});

test('an unknown schema id and truncated bytes are reported as unreadable', async () => {
  const writer = form();
  await writer.declare('unrouted');
  const value = writer.encode('unrouted', numbered(0));
  await expect(form().decode('unrouted', value.subarray(0, 40))).rejects.toMatchObject({ name: 'Unreadable' });
  await expect(form().decode('unrouted', Buffer.from([0, 0, 0, 0, 99, 1]))).rejects.toMatchObject({
    problem: 'the registry has no schema 99',
  });
});

test('if the registry refuses a schema, fails or returns invalid content, the error does not quote its response', async () => {
  const writer = form();
  await writer.declare('unrouted');
  server.answer = 'incompatible';
  await expect(form().declare('unrouted')).rejects.toMatchObject({
    code: 'AORTA-STREAM-INCOMPATIBLE',
    details: { subject: 'a.unrouted-value' },
  });
  for (const answer of ['error', 'nonsense'] as const) {
    server.answer = answer;
    const failure = await form()
      .declare('unrouted')
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'AORTA-STREAM-REGISTRY' });
    expect(JSON.stringify(failure)).not.toContain('planted');
  }
  server.answer = 'as a registry';
  await expect(
    new RegisteredForm(openRegistry({ url: 'http://127.0.0.1:1' }), (stream) => stream, single).declare('unrouted'),
  ).rejects.toMatchObject({ code: 'AORTA-STREAM-REGISTRY', details: { reason: 'no connection' } });
});
