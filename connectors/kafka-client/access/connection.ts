import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AortaError } from '@aorta/runtime';
import type { KafkaConnection, KafkaLogin } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { awsTokens } from './aws-iam.ts';
import { clientCredentials } from './client-credentials.ts';
import type { LoginSettings, TlsSettings } from './options.ts';

/**
 * Converts the configured TLS and login settings to connection settings. All connections opened with these settings share their
 * tokens. Throws AORTA-FILE-UNREADABLE if a certificate file cannot be read, and AORTA-KAFKA-TLS if a key cannot be used.
 */
export function accessOf({
  tls,
  login,
}: {
  readonly tls: TlsSettings;
  readonly login?: LoginSettings | undefined;
}): Pick<KafkaConnection, 'tls' | 'login'> {
  return {
    ...(tls === false ? {} : { tls: tls === true ? true : certificatesOf(tls) }),
    ...(login === undefined ? {} : { login: loginOf(login) }),
  };
}

function certificatesOf(tls: Exclude<TlsSettings, boolean>): Exclude<KafkaConnection['tls'], boolean | undefined> {
  const { ca_file, cert_file, key_file, key_passphrase: passphrase, server_name: serverName } = tls;
  const given = {
    ca: tls.ca ?? read(ca_file),
    cert: tls.cert ?? read(cert_file),
    key: tls.key ?? read(key_file),
    passphrase,
    serverName,
  };
  // Check the key here: for an unusable key, the library would only report that the brokers do not answer.
  if (given.key !== undefined) checkKey(given.key, passphrase);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function checkKey(key: string, passphrase: string | undefined): void {
  if (passphrase === undefined && key.includes('ENCRYPTED'))
    throw new KafkaError('AORTA-KAFKA-TLS', { reason: 'the key has a passphrase, which is not configured' });
  try {
    createPrivateKey(passphrase === undefined ? key : { key, passphrase });
  } catch (error) {
    throw new KafkaError('AORTA-KAFKA-TLS', { reason: (error as NodeJS.ErrnoException).code ?? 'the key cannot be read' });
  }
}

function read(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new AortaError('AORTA-FILE-UNREADABLE', { file, code: (error as NodeJS.ErrnoException).code ?? 'unknown' });
  }
}

function loginOf(login: LoginSettings): KafkaLogin {
  const { mechanism } = login;
  if (mechanism === 'oauthbearer') {
    const { token_url, client_id, client_secret, scope, audience } = login;
    const asked = { url: token_url!, clientId: client_id!, clientSecret: client_secret!, scope, audience };
    return { mechanism, token: clientCredentials(asked) };
  }
  if (mechanism === 'aws-iam') return { mechanism: 'oauthbearer', token: awsTokens({ region: login.region!, role: login.role }) };
  return { mechanism, user: login.user!, password: login.password! };
}
