import { describe, expect, test } from 'vitest';
import { hostOfConnection, hubOfConnection, isConnectionString } from '../sources/connection-string.ts';
import { eventHubsSourceOptions, hubsOf } from './options.ts';

const connection = 'Endpoint=sb://Ns.servicebus.windows.net/;SharedAccessKeyName=listen;SharedAccessKey=c2VjcmV0PQ==';

/** Returns the validation errors of a source's options, by field name. */
function problems(source: Record<string, unknown>): Record<string, string> {
  const result = eventHubsSourceOptions.safeParse({ type: 'event-hubs', ...source });
  return Object.fromEntries((result.error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}

describe('connection strings', () => {
  test('a connection string is recognized by its parts, and only its host and hub are extracted', () => {
    expect(isConnectionString(connection)).toBe(true);
    expect(isConnectionString('Endpoint=sb://h;SharedAccessSignature=SharedAccessSignature sr=x')).toBe(true);
    for (const text of [
      '',
      'x',
      'Endpoint=https://h;SharedAccessKeyName=a;SharedAccessKey=b',
      'Endpoint=sb://h;SharedAccessKeyName=a',
    ])
      expect([text, isConnectionString(text)]).toEqual([text, false]);
    expect(hostOfConnection(connection)).toBe('ns.servicebus.windows.net');
    expect(hostOfConnection('Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=a;SharedAccessKey=b')).toBe('127.0.0.1:5672');
    expect(hubOfConnection(connection)).toBeUndefined();
    expect(hubOfConnection(`${connection};EntityPath=Health`)).toBe('Health');
  });
});

describe('the options of a source', () => {
  test('the options require a hub, and either a connection string or a namespace', () => {
    expect(problems({ connection, hubs: ['a'] })).toEqual({});
    expect(problems({ namespace: 'ns.servicebus.windows.net', hubs: ['a'] })).toEqual({});
    expect(problems({ connection: `${connection};EntityPath=a` })).toEqual({});
    expect(Object.keys(problems({ hubs: ['a'] }))).toEqual(['connection']);
    expect(Object.keys(problems({ connection, namespace: 'ns.servicebus.windows.net', hubs: ['a'] }))).toEqual(['connection']);
    expect(Object.keys(problems({ connection }))).toEqual(['hubs']);
  });

  test('the options reject a hub that is listed twice, and a list of hubs if the connection string already names a hub', () => {
    expect(problems({ connection: `${connection};EntityPath=a`, hubs: ['a'] })).toEqual({
      hubs: 'the connection string already names a hub (EntityPath)',
    });
    expect(problems({ connection, hubs: ['a', 'A'] })).toEqual({ hubs: 'a hub is named twice' });
    expect(Object.keys(problems({ connection, hubs: ['a/b'] }))).toEqual(['hubs.0']);
  });

  test('the options reject unknown fields, with messages that contain no secret', () => {
    const said = problems({
      connection: 'c2VjcmV0PQ==',
      hubs: ['a'],
      checkpoints: { type: 'blob', container: 'abc', conection: 'x' },
    });
    expect(Object.keys(said).sort()).toEqual(['checkpoints', 'checkpoints.connection', 'connection']);
    expect(JSON.stringify(said)).not.toContain('c2VjcmV0');
  });

  test('the options require storage access, a valid start position, and a claim expiry of at least three claim intervals', () => {
    const source = { connection, hubs: ['a'] };
    expect(Object.keys(problems({ ...source, checkpoints: { type: 'blob', container: 'abc' } }))).toEqual([
      'checkpoints.connection',
    ]);
    expect(
      problems({ ...source, checkpoints: { type: 'blob', container: 'abc', url: 'https://a.blob.core.windows.net' } }),
    ).toEqual({});
    expect(Object.keys(problems({ ...source, start_position: 'yesterday' }))).toEqual(['start_position']);
    expect(problems({ ...source, start_position: '2026-01-31T08:00:00Z' })).toEqual({});
    expect(Object.keys(problems({ ...source, claim_s: 11 }))).toEqual(['claim_expiry_s']);
  });

  test('hubsOf returns hubs in lower case, from the list or the connection string', () => {
    expect(hubsOf({ connection, hubs: ['Health', 'Labs'] })).toEqual(['health', 'labs']);
    expect(hubsOf({ connection: `${connection};EntityPath=Health`, hubs: undefined })).toEqual(['health']);
  });
});
