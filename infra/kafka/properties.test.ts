import { expect, test } from 'vitest';
import { brokerProperties } from './properties.ts';

const ports = { plain: 20_001, controller: 20_002 };

test('a broker without users listens only on loopback and requires no login', () => {
  const text = brokerProperties({ ports, folder: '/data' });
  expect(text).toContain('listeners=PLAINTEXT://127.0.0.1:20001,CONTROLLER://127.0.0.1:20002\n');
  expect(text).toContain('advertised.listeners=PLAINTEXT://127.0.0.1:20001\n');
  expect(text).not.toContain('0.0.0.0');
  expect(text).not.toContain('jaas');
});

test('custom broker properties override the default properties', () => {
  const text = brokerProperties({ ports, folder: '/data', properties: { 'num.io.threads': '9', 'log.flush.interval.ms': '1' } });
  expect(text.match(/^num\.io\.threads=.*$/gm)).toEqual(['num.io.threads=9']);
  expect(text).toContain('log.flush.interval.ms=1\n');
});

test('quotes and backslashes in a password are escaped for JAAS and for the properties file', () => {
  const text = brokerProperties({ ports: { ...ports, sasl: 20_003 }, folder: '/data', users: { etl: 'a"b\\c\nü' } });
  // In JAAS, a"b\c is written as a\"b\\c. In a properties file, each of these backslashes is doubled.
  expect(text).toContain(String.raw`user_etl="a\\"b\\\\c\u000a\u00fc";`);
});

test('the properties of a cluster member list all voters and require all replicas but one to be in sync', () => {
  const text = brokerProperties({
    ports: { ...ports, secure: 20_004 },
    folder: '/data',
    member: { node: 2, controllers: [1, 2, 3] },
  });
  expect(text).toContain('node.id=2\n');
  expect(text).toContain('controller.quorum.voters=1@127.0.0.1:1,2@127.0.0.1:2,3@127.0.0.1:3\n');
  expect(text).toContain('SASL_SSL://127.0.0.1:20004');
  expect(text).toContain('default.replication.factor=3\n');
  expect(text).toContain('min.insync.replicas=2\n');
  expect(brokerProperties({ ports, folder: '/data' })).not.toContain('min.insync.replicas=');
});
