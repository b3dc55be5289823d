import { expect, test } from 'vitest';
import { brokerProperties } from './properties.ts';

const ports = { plain: 20_001, controller: 20_002 };

test('serves loopback alone, and asks nobody to log in where there are no users', () => {
  const text = brokerProperties({ ports, folder: '/data' });
  expect(text).toContain('listeners=PLAINTEXT://127.0.0.1:20001,CONTROLLER://127.0.0.1:20002\n');
  expect(text).toContain('advertised.listeners=PLAINTEXT://127.0.0.1:20001\n');
  expect(text).not.toContain('0.0.0.0');
  expect(text).not.toContain('jaas');
});

test('settings that are given come in the place of its own', () => {
  const text = brokerProperties({ ports, folder: '/data', properties: { 'num.io.threads': '9', 'log.flush.interval.ms': '1' } });
  expect(text.match(/^num\.io\.threads=.*$/gm)).toEqual(['num.io.threads=9']);
  expect(text).toContain('log.flush.interval.ms=1\n');
});

test('a password keeps its quotes and backslashes through both forms of writing', () => {
  const text = brokerProperties({ ports: { ...ports, sasl: 20_003 }, folder: '/data', users: { etl: 'a"b\\c\nü' } });
  // JAAS has a"b\\c written as a\"b\\\\c, and a file of properties every backslash of that twice.
  expect(text).toContain(String.raw`user_etl="a\\"b\\\\c\u000a\u00fc";`);
});
