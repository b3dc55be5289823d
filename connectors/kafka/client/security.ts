import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AortaError, secret, secretText, steadyNow } from '@aorta/runtime';
import { z } from 'zod';
import type { KafkaConnection, KafkaLogin, TokenSource } from './client.ts';
import { KafkaError } from './errors.ts';

const broker = z
  .string()
  .regex(/^(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}$/, { error: 'not `host:port`, such as kafka-1.example.com:9092' });

export const brokersOption = z
  .array(broker)
  .min(1)
  .describe('One or more brokers of the cluster (`host:port`). Aorta learns the others from them.');

const text = z.string().min(1).optional();
const PASSWORDS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * A token is renewed after this fraction of its lifetime, or {@link BEFORE_END_MS} before it expires if that is later. Brokers
 * close a connection when its token expires, so kafkajs logs in again ten seconds before that.
 */
const USED_PART = 0.5;

const BEFORE_END_MS = 300_000;
const SIGNER = 'aws-msk-iam-sasl-signer-js';
const ANSWER_MS = 10_000;

/** Assumed lifetime of a token, in seconds, if the response has no `expires_in`, which is optional in RFC 6749. */
const DEFAULT_LIFETIME_S = 300;

const answerShape = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().optional() });

/** An error response (RFC 6749, section 5.2). Its other members are ignored, because they may quote the request. */
const refusalShape = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) });
const pem = (what: string) => secret(`PEM text of ${what}.`).optional();
const pemFile = (what: string) => text.describe(`PEM file with ${what}.`);

const certificates = z.strictObject({
  ca_file: pemFile('the certificate authorities of the brokers. Default: those of Node.js'),
  cert_file: pemFile('the client certificate, if the brokers require one. Needs a key'),
  key_file: pemFile('the key of the client certificate'),
  ca: pem('the certificate authorities, instead of `ca_file`'),
  cert: pem('the client certificate, instead of `cert_file`'),
  key: pem('the key, instead of `key_file`. A secret: take it from the environment'),
  key_passphrase: secret('Passphrase of an encrypted key. A secret: take it from the environment.').optional(),
  server_name: text.describe('Name in the brokers’ certificates, if it differs from their host name.'),
});

export const tlsOption = z
  .union([z.boolean(), certificates])
  .default(false)
  .describe('`true` connects to the brokers over TLS. An object also sets the certificates.');

type PasswordMechanism = (typeof PASSWORDS)[number];

export function loginOption(mechanism: PasswordMechanism) {
  return z
    .strictObject({
      mechanism: z
        .enum([...PASSWORDS, 'oauthbearer', 'aws-iam'])
        .default(mechanism)
        .describe(
          'SASL mechanism. `oauthbearer` uses tokens from an OAuth 2.0 endpoint (client credentials). `aws-iam` uses the AWS identity of this process, for Amazon MSK. The others use `user` and `password`. Use `plain` only with `tls`, except on a single machine.',
        ),
      user: secret('Name of the user.').optional(),
      password: secret('Password of the user. A secret: take it from the environment.').optional(),
      token_url: z
        .url({ protocol: /^https?$/, error: 'not an address such as https://login.example.com/oauth2/token' })
        .optional()
        .describe('`oauthbearer`: URL of the endpoint that issues tokens for `client_id` and `client_secret`.'),
      client_id: secret('`oauthbearer`: id of this client at the token endpoint.').optional(),
      client_secret: secret('`oauthbearer`: secret of this client. Take it from the environment.').optional(),
      scope: text.describe('`oauthbearer`: scope to request, if the endpoint requires one.'),
      audience: text.describe('`oauthbearer`: audience to request, if the endpoint requires one.'),
      region: text.describe('`aws-iam`: region of the cluster, such as eu-west-1.'),
      role: text.describe('`aws-iam`: ARN of a role to assume. Default: the identity of this process.'),
    })
    .superRefine((login, context) => {
      const wanted = fieldsOf[login.mechanism]!;
      for (const field of Object.keys(login) as (keyof typeof login)[]) {
        if (field === 'mechanism' || login[field] === undefined || wanted.all.includes(field)) continue;
        const hint = `Remove ${field}, or set a different mechanism.`;
        context.addIssue({ code: 'custom', path: [field], message: `not used by \`${login.mechanism}\``, params: { hint } });
      }
      for (const field of wanted.needed) {
        if (login[field] !== undefined) continue;
        const hint = `Set ${field}, or a different mechanism.`;
        context.addIssue({ code: 'custom', path: [field], message: `\`${login.mechanism}\` needs it`, params: { hint } });
      }
      if (login.token_url !== undefined && !isProtected(login.token_url)) {
        const hint = 'Use an https:// address; http:// is allowed only for this machine.';
        context.addIssue({
          code: 'custom',
          path: ['token_url'],
          message: 'a secret would be sent in clear text',
          params: { hint },
        });
      }
    })
    .optional()
    .describe('Login to the brokers. Default: no login.');
}

type Field = 'user' | 'password' | 'token_url' | 'client_id' | 'client_secret' | 'scope' | 'audience' | 'region' | 'role';

const ofPasswords = { needed: ['user', 'password'], all: ['user', 'password'] } as const;
const fieldsOf: Readonly<Record<string, { readonly needed: readonly Field[]; readonly all: readonly string[] }>> = {
  plain: ofPasswords,
  'scram-sha-256': ofPasswords,
  'scram-sha-512': ofPasswords,
  oauthbearer: {
    needed: ['token_url', 'client_id', 'client_secret'],
    all: ['token_url', 'client_id', 'client_secret', 'scope', 'audience'],
  },
  'aws-iam': { needed: ['region'], all: ['region', 'role'] },
};

function isProtected(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || LOOPBACK.has(hostname);
}

type TlsSettings = z.output<typeof tlsOption>;
type LoginSettings = NonNullable<z.output<ReturnType<typeof loginOption>>>;

/** Returns what is wrong with the certificate settings and how to fix it; undefined if they are valid. */
export function tlsProblem(tls: TlsSettings): { readonly message: string; readonly hint: string } | undefined {
  if (typeof tls === 'boolean') return undefined;
  const { cert, cert_file, key, key_file, ca, ca_file, key_passphrase } = tls;
  const twice = [
    [ca, ca_file, 'ca'],
    [cert, cert_file, 'cert'],
    [key, key_file, 'key'],
  ].find(([one, file]) => one !== undefined && file !== undefined)?.[2];
  if (twice !== undefined)
    return { message: `\`${twice}\` and \`${twice}_file\` exclude each other`, hint: 'Set the text or the file, not both.' };
  const [hasCertificate, hasKey] = [(cert ?? cert_file) !== undefined, (key ?? key_file) !== undefined];
  if (hasCertificate !== hasKey) return { message: 'a certificate and its key need each other', hint: 'Set both, or neither.' };
  if (key_passphrase !== undefined && !hasKey)
    return { message: '`key_passphrase` needs a key', hint: 'Set the key too, or remove the passphrase.' };
  return undefined;
}

/**
 * Converts the configured TLS and login settings to connection settings. All connections opened with these settings share their
 * tokens. Throws AORTA-FILE-UNREADABLE if a certificate file cannot be read, and AORTA-KAFKA-TLS if a key cannot be used.
 */
export function securityOf({
  tls,
  login,
}: {
  readonly tls: TlsSettings;
  readonly login?: LoginSettings | undefined;
}): Pick<KafkaConnection, 'tls' | 'login'> {
  return {
    tls: tls === false ? undefined : tls === true ? true : certificatesOf(tls),
    login: login === undefined ? undefined : loginOf(login),
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
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new AortaError('AORTA-FILE-UNREADABLE', { file, code: (error as NodeJS.ErrnoException).code ?? 'unknown' });
  }
  return secretText(text, (problem) => new KafkaError('AORTA-KAFKA-TLS', { reason: `${file}: ${problem}` }));
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

/** A token and the time at which it expires, by `steadyNow`. */
interface Token {
  readonly value: string;
  readonly until: number;
}

/** Returns a token source that caches the result of `ask` and renews it before it expires. Concurrent callers share one request. */
export function cachedTokens(ask: () => Promise<Token>, clock: () => number = steadyNow): TokenSource {
  let token: { readonly value: string; readonly renewAt: number } | undefined;
  let asking: Promise<string> | undefined;
  const renew = async (): Promise<string> => {
    const asked = clock();
    const { value, until } = await ask();
    token = { value, renewAt: Math.max(asked + (until - asked) * USED_PART, until - BEFORE_END_MS) };
    return value;
  };
  return async () => {
    if (token !== undefined && clock() < token.renewAt) return token.value;
    asking ??= renew().finally(() => {
      asking = undefined;
    });
    return await asking;
  };
}

/** The interface of AWS's package for Amazon MSK, `aws-msk-iam-sasl-signer-js`. */
interface Signer {
  generateAuthToken(options: { region: string }): Promise<SignedToken>;
  generateAuthTokenFromRole(options: { region: string; awsRoleArn: string; awsRoleSessionName: string }): Promise<SignedToken>;
}

interface SignedToken {
  readonly token: string;
  readonly expiryTime: number;
}

const require = createRequire(import.meta.url);

/**
 * Returns a source of tokens for AWS IAM. Each token is a request to the cluster, signed with the credentials of this process or
 * of a role. The signer package is optional, because it installs 75 packages of the AWS SDK (29 MB).
 */
export function awsTokens(
  { region, role }: { readonly region: string; readonly role?: string | undefined },
  load: () => Promise<Signer> = async () => require(SIGNER) as Signer,
): TokenSource {
  return cachedTokens(async () => {
    const signer = await load().catch((error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'MODULE_NOT_FOUND';
      throw new KafkaError('AORTA-KAFKA-SIGNER', {
        signer: SIGNER,
        problem: isMissing ? 'is not installed' : 'cannot be loaded',
      });
    });
    try {
      const { token, expiryTime } =
        role === undefined
          ? await signer.generateAuthToken({ region })
          : await signer.generateAuthTokenFromRole({ region, awsRoleArn: role, awsRoleSessionName: 'aorta' });
      return { value: token, until: steadyNow() + expiryTime - Date.now() };
    } catch (error) {
      // The message may contain parts of the signed request.
      throw new KafkaError('AORTA-KAFKA-TOKEN-FAILED', { host: `AWS in ${region}`, reason: (error as Error).name });
    }
  });
}

interface ClientCredentials {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
  readonly audience?: string | undefined;
}

/** Returns a source of tokens that uses the OAuth 2.0 client credentials grant (RFC 6749, section 4.4). */
function clientCredentials(credentials: ClientCredentials): TokenSource {
  return cachedTokens(() => requestToken(credentials));
}

async function requestToken({ url, clientId, clientSecret, scope, audience }: ClientCredentials): Promise<Token> {
  const { host } = new URL(url);
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) body.set('scope', scope);
  if (audience !== undefined) body.set('audience', audience);
  const authorization = `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')}`;
  const asked = steadyNow();
  let answer: Response;
  let content: unknown;
  try {
    const headers = { authorization, accept: 'application/json' };
    // Do not follow redirects, because they could send the secret to a different host.
    answer = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    content = await answer.json().catch(() => undefined);
  } catch (error) {
    throw new KafkaError('AORTA-KAFKA-TOKEN-FAILED', { host, reason: reasonOf(error) });
  }
  if (answer.status >= 500 || answer.status === 429)
    throw new KafkaError('AORTA-KAFKA-TOKEN-FAILED', { host, reason: `status ${answer.status}` });
  if (!answer.ok) {
    const said = refusalShape.safeParse(content);
    const reason = said.success ? `${answer.status}, ${said.data.error}` : String(answer.status);
    throw new KafkaError('AORTA-KAFKA-TOKEN-REFUSED', { host, reason });
  }
  const token = answerShape.safeParse(content);
  if (!token.success) throw new KafkaError('AORTA-KAFKA-TOKEN-REFUSED', { host, reason: 'its answer contains no token' });
  return { value: token.data.access_token, until: asked + (token.data.expires_in ?? DEFAULT_LIFETIME_S) * 1000 };
}

/** Form-encodes the client id or secret for the Authorization header, as required by RFC 6749, section 2.3.1. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/** Returns the code or the name of the error, but not its message, which may quote the request. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : name === 'TimeoutError' ? `no answer in ${ANSWER_MS / 1000} s` : name;
}
