import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokersOf, connectionOf } from './cluster.ts';
import { kafkaSourceOptions, topicsOf } from './options.ts';

const connection = 'Endpoint=sb://Ns.servicebus.windows.net/;SharedAccessKeyName=listen;SharedAccessKey=c2VjcmV0PQ==';
const cluster = { brokers: ['k:9092'], topics: ['a'] };

/** Returns the validation errors for a source's options, keyed by field. */
function problems(source: Record<string, unknown>): Record<string, string> {
  const result = kafkaSourceOptions.safeParse({ type: 'kafka', ...source });
  return Object.fromEntries((result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}
const settings = (source: Record<string, unknown>) => kafkaSourceOptions.parse({ type: 'kafka', ...source });

describe('the options of a source', () => {
  test('a topic is required, and either brokers or a connection string', () => {
    for (const good of [cluster, { brokers: ['[::1]:9092'], topics_regex: 'a.*' }, { connection: `${connection};EntityPath=a` }])
      expect(problems(good)).toEqual({});
    expect(Object.keys(problems({ topics: ['a'] }))).toEqual(['brokers']);
    expect(Object.keys(problems({ ...cluster, connection }))).toEqual(['brokers']);
    expect(Object.keys(problems({ connection }))).toEqual(['topics']);
    expect(problems({ ...cluster, topics: ['a', 'a'] })).toEqual({ topics: 'a topic is named twice' });
  });

  test('invalid and unknown fields are rejected with messages that contain no secret', () => {
    expect(Object.keys(problems({ ...cluster, brokers: ['k'] }))).toEqual(['brokers.0']);
    expect(Object.keys(problems({ ...cluster, topics: ['a b'] }))).toEqual(['topics.0']);
    expect(problems({ ...cluster, topics_regex: '(' })).toEqual({ topics_regex: 'not a regular expression' });
    expect(Object.keys(problems({ ...cluster, start_position: 'yesterday' }))).toEqual(['start_position']);
    expect(Object.keys(problems({ ...cluster, tls: { cert_file: 'x' } }))).toEqual(['tls']);
    expect(Object.keys(problems({ connection: `${connection};EntityPath=a`, tls: true }))).toEqual(['connection']);
    const said = problems({
      ...cluster,
      conection: 'c2VjcmV0PQ==',
      login: { user: 'u', password: 7, mechanism: 'c2VjcmV0PQ==' },
    });
    expect(Object.keys(said)).toHaveLength(3);
    expect(JSON.stringify([said, problems({ connection: 'c2VjcmV0PQ==', topics: ['a'] })])).not.toContain('c2VjcmV0');
  });

  test('topics may be given by name, by a pattern for the whole name, or in the connection string', () => {
    expect(topicsOf(settings(cluster))).toEqual(['a']);
    expect(topicsOf(settings({ ...cluster, topics_regex: 'b|c' }))).toEqual(['a', /^(?:b|c)$/]);
    expect(topicsOf(settings({ connection: `${connection};EntityPath=Health` }))).toEqual(['Health']);
  });
});

describe('connectionOf', () => {
  test('a connection to Event Hubs uses its Kafka endpoint, with the connection string as password', async () => {
    const source = settings({ connection, topics: ['a'] });
    expect(brokersOf(source)).toEqual(['ns.servicebus.windows.net:9093']);
    expect(await connectionOf(source)).toMatchObject({
      brokers: ['ns.servicebus.windows.net:9093'],
      tls: true,
      login: { mechanism: 'plain', user: '$ConnectionString', password: connection },
    });
  });

  test('a connection uses the configured login and certificates', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tls-'));
    try {
      await writeFile(join(folder, 'ca.pem'), 'CA');
      const login = { mechanism: 'scram-sha-512', user: 'u', password: 'p' };
      const tls = { ca_file: join(folder, 'ca.pem'), server_name: 'k' };
      expect(await connectionOf(settings({ ...cluster, login, tls }))).toMatchObject({
        tls: { ca: 'CA', serverName: 'k' },
        login,
      });
      const missing = settings({ ...cluster, tls: { ca_file: join(folder, 'other.pem') } });
      await expect(connectionOf(missing)).rejects.toMatchObject({ code: 'AORTA-FILE-UNREADABLE' });
      expect((await connectionOf(settings(cluster))).tls).toBeUndefined();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
