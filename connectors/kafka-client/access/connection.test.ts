import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { accessOf } from './connection.ts';
import { tlsOption } from './options.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const key = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'Zq81 phrase' }).toString();
const access = (tls: object) => () => accessOf({ tls: tlsOption.parse({ cert: 'CERT', ...tls }) });

test('an encrypted key is passed to the client together with its passphrase', () => {
  expect(access({ key, key_passphrase: 'Zq81 phrase' })()).toEqual({ tls: { cert: 'CERT', key, passphrase: 'Zq81 phrase' } });
});

test('an unusable key is reported before the client connects, and the error does not quote the passphrase', () => {
  const refused = (reason: string) => ({ code: 'AORTA-KAFKA-TLS', details: { reason } });
  expect(access({ key })).toThrow(expect.objectContaining(refused('the key has a passphrase, which is not configured')));
  expect(access({ key, key_passphrase: 'Zq81 other' })).toThrow(expect.objectContaining(refused('ERR_OSSL_BAD_DECRYPT')));
  expect(access({ key: 'no key' })).toThrow(expect.objectContaining({ code: 'AORTA-KAFKA-TLS' }));
});

test('the error names a missing key file', () => {
  expect(access({ key_file: '/nowhere/client.key' })).toThrow('/nowhere/client.key cannot be read (ENOENT)');
});
