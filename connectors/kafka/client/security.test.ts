import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { clockChanges, moveClocks } from '../../../infra/machine/system-clock.fixture.ts';
import { awsTokens, cachedTokens, securityOf, tlsOption } from './security.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const key = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'Zq81 phrase' }).toString();
const access = (tls: object) => () => securityOf({ tls: tlsOption.parse({ cert: 'CERT', ...tls }) });

test('an encrypted key is passed to the client together with its passphrase', () => {
  expect(access({ key, key_passphrase: 'Zq81 phrase' })()).toEqual({
    tls: { cert: 'CERT', key: key.trim(), passphrase: 'Zq81 phrase' },
  });
});

test('an unusable key is reported before the client connects, and the error does not quote the passphrase', () => {
  const refused = (reason: string) => ({ code: 'AORTA-KAFKA-TLS', details: { reason } });
  expect(access({ key })).toThrow(expect.objectContaining(refused('the key has a passphrase, which is not configured')));
  expect(access({ key, key_passphrase: 'Zq81 other' })).toThrow(expect.objectContaining(refused('ERR_OSSL_BAD_DECRYPT')));
  expect(access({ key: 'no key' })).toThrow(expect.objectContaining({ code: 'AORTA-KAFKA-TLS' }));
});

test('white space around the text of a key file is ignored, and quotes are named', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'key-')), 'client.key');
  writeFileSync(file, `\ufeff\r\n${key}\r\n`);
  expect(access({ key_file: file, key_passphrase: 'Zq81 phrase\n' })()).toEqual({
    tls: { cert: 'CERT', key: key.trim(), passphrase: 'Zq81 phrase' },
  });
  writeFileSync(file, `"${key}"\n`);
  expect(access({ key_file: file })).toThrow(`${file}: the value has quotes around it; remove them`);
  rmSync(dirname(file), { recursive: true });
});

test('the error names a missing key file', () => {
  expect(access({ key_file: '/nowhere/client.key' })).toThrow(
    '/nowhere/client.key cannot be read (ENOENT: no such file or folder)',
  );
});

test('concurrent callers share one token, which is renewed after half of its lifetime', async () => {
  let [now, asked] = [0, 0];
  const token = cachedTokens(
    async () => ({ value: `token ${++asked}`, until: now + 100_000 }),
    () => now,
  );
  expect(await Promise.all([token(), token()])).toEqual(['token 1', 'token 1']);
  now = 49_999;
  expect(await token()).toBe('token 1');
  now = 50_000;
  expect(await token()).toBe('token 2');
});

test('a token with a long lifetime is used until five minutes before it expires', async () => {
  let [now, asked] = [0, 0];
  const token = cachedTokens(
    async () => ({ value: `token ${++asked}`, until: now + 3_600_000 }),
    () => now,
  );
  await token();
  now = 3_299_999;
  expect(await token()).toBe('token 1');
  now = 3_300_000;
  expect(await token()).toBe('token 2');
});

test('only the callers that waited for a failed token request get its error, and the next caller sends a new request', async () => {
  let asked = 0;
  const token = cachedTokens(async () => {
    if (++asked === 1) throw new Error('away');
    return { value: 'token', until: Number.POSITIVE_INFINITY };
  });
  await expect(token()).rejects.toThrow('away');
  expect(await token()).toBe('token');
});

test.each(clockChanges)(
  'after the system clock is %s, a token for AWS is renewed when half of its lifetime is over',
  async (_, jump) => {
    const clock = moveClocks();
    let asked = 0;
    const generateAuthToken = async () => ({ token: `token ${++asked}`, expiryTime: clock.now() + 400_000 });
    const token = awsTokens({ region: 'r' }, async () => ({ generateAuthToken, generateAuthTokenFromRole: generateAuthToken }));
    expect(await token()).toBe('token 1');
    clock.set(jump);
    clock.pass(199_000);
    expect(await token()).toBe('token 1');
    clock.pass(1_000);
    expect(await token()).toBe('token 2');
  },
);

const signed = { token: 'signed', expiryTime: Number.MAX_SAFE_INTEGER };

test('AWS tokens are signed for the identity of this process or for a configured role', async () => {
  const asked: object[] = [];
  const load = async () => ({
    generateAuthToken: async (options: object) => {
      asked.push(options);
      return signed;
    },
    generateAuthTokenFromRole: async (options: object) => {
      asked.push(options);
      return signed;
    },
  });
  expect(await awsTokens({ region: 'eu-west-1' }, load)()).toBe('signed');
  await awsTokens({ region: 'eu-west-1', role: 'arn:aws:iam::1:role/etl' }, load)();
  expect(asked).toEqual([
    { region: 'eu-west-1' },
    { region: 'eu-west-1', awsRoleArn: 'arn:aws:iam::1:role/etl', awsRoleSessionName: 'aorta' },
  ]);
});

test('if the AWS signer is not installed, the error says what to install', async () => {
  await expect(awsTokens({ region: 'eu-west-1' })()).rejects.toMatchObject({
    code: 'AORTA-KAFKA-SIGNER',
    message: expect.stringContaining('aws-msk-iam-sasl-signer-js is not installed'),
    remedy: 'Install it next to aorta: npm install aws-msk-iam-sasl-signer-js',
  });
});

test('only the name of an AWS signer error is reported', async () => {
  const failing = async () => {
    throw Object.assign(new Error('key AKIAZq81'), { name: 'CredentialsProviderError' });
  };
  const load = async () => ({ generateAuthToken: failing, generateAuthTokenFromRole: failing });
  await expect(awsTokens({ region: 'eu-west-1' }, load)()).rejects.toMatchObject({
    code: 'AORTA-KAFKA-TOKEN-FAILED',
    message: 'Could not get a token for the Kafka brokers from AWS in eu-west-1 (CredentialsProviderError).',
  });
});
