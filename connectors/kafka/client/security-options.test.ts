import { describe, expect, test } from 'vitest';
import { loginOption, tlsOption, tlsProblem } from './security.ts';

const login = loginOption('scram-sha-512');
/** Returns the validation message of each invalid field, by the field's path. */
const problems = (value: unknown): Record<string, string> =>
  Object.fromEntries((login.safeParse(value).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
const oauth = { mechanism: 'oauthbearer', token_url: 'https://login.example/token', client_id: 'a', client_secret: 's' };

describe('login options', () => {
  test('a login without a mechanism uses the default mechanism of its configuration section', () => {
    expect(login.parse({ user: 'u', password: 'p' })).toEqual({ mechanism: 'scram-sha-512', user: 'u', password: 'p' });
    expect(loginOption('plain').parse({ user: 'u', password: 'p' })?.mechanism).toBe('plain');
    expect(login.parse(undefined)).toBeUndefined();
  });

  test('a login must have every field of its mechanism, and no field of a different mechanism', () => {
    for (const good of [oauth, { ...oauth, scope: 's', audience: 'a' }, { mechanism: 'aws-iam', region: 'eu-west-1' }])
      expect(problems(good)).toEqual({});
    expect(problems({ user: 'u' })).toEqual({ password: '`scram-sha-512` needs it' });
    expect(problems({ mechanism: 'oauthbearer' })).toEqual({
      token_url: '`oauthbearer` needs it',
      client_id: '`oauthbearer` needs it',
      client_secret: '`oauthbearer` needs it',
    });
    expect(problems({ ...oauth, password: 'p' })).toEqual({ password: 'not used by `oauthbearer`' });
    expect(problems({ mechanism: 'aws-iam' })).toEqual({ region: '`aws-iam` needs it' });
  });

  test('a token URL must use HTTPS unless it points to this machine', () => {
    expect(problems({ ...oauth, token_url: 'http://login.example/token' })).toEqual({
      token_url: 'a secret would be sent in clear text',
    });
    for (const token_url of ['http://localhost:1/t', 'http://127.0.0.1:1/t', 'http://[::1]:1/t'])
      expect(problems({ ...oauth, token_url })).toEqual({});
  });
});

describe('certificate options', () => {
  const problemOf = (tls: object): string | undefined => tlsProblem(tlsOption.parse(tls))?.message;

  test('a certificate is configured as a file or as text, and always together with its key', () => {
    for (const good of [{ ca_file: 'a' }, { ca: 'A' }, { cert_file: 'c', key: 'K', key_passphrase: 'p' }])
      expect(problemOf(good)).toBeUndefined();
    expect(problemOf({ ca: 'A', ca_file: 'a' })).toContain('`ca` and `ca_file`');
    expect(problemOf({ cert: 'C' })).toBe('a certificate and its key need each other');
    expect(problemOf({ key_file: 'k' })).toBe('a certificate and its key need each other');
    expect(problemOf({ key_passphrase: 'p' })).toBe('`key_passphrase` needs a key');
  });
});
