import { expect, test } from 'vitest';
import { kafkaConfig } from './connection.ts';

const base = { brokers: ['a:1'], clientId: 'me' };

test('TLS, login and timeouts are passed to the library', () => {
  expect(kafkaConfig(base)).toMatchObject({
    brokers: ['a:1'],
    clientId: 'me',
    connectionTimeout: 10_000,
    requestTimeout: 60_000,
  });
  expect(kafkaConfig(base)).not.toHaveProperty('ssl');
  expect(kafkaConfig({ ...base, tls: false })).not.toHaveProperty('ssl');
  expect(kafkaConfig({ ...base, tls: true }).ssl).toBe(true);
  const tls = { ca: 'authority', cert: 'certificate', key: 'private', serverName: 'broker.example' };
  expect(kafkaConfig({ ...base, tls }).ssl).toEqual({
    ca: ['authority'],
    cert: 'certificate',
    key: 'private',
    servername: 'broker.example',
  });
  const login = { mechanism: 'scram-sha-512', user: 'u', password: 'p' } as const;
  expect(kafkaConfig({ ...base, login }).sasl).toEqual({ mechanism: 'scram-sha-512', username: 'u', password: 'p' });
});
