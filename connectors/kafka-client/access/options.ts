import { z } from 'zod';

const broker = z
  .string()
  .regex(/^(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}$/, { error: 'not `host:port`, such as kafka-1.example.com:9092' });

export const brokersOption = z
  .array(broker)
  .min(1)
  .describe('One or more brokers of the cluster (`host:port`). Aorta learns the others from them.');

const text = z.string().min(1).optional();
const pem = (what: string) => text.describe(`PEM text of ${what}.`);
const pemFile = (what: string) => text.describe(`PEM file with ${what}.`);

const certificates = z.strictObject({
  ca_file: pemFile('the certificate authorities of the brokers. Default: those of Node.js'),
  cert_file: pemFile('the client certificate, if the brokers require one. Needs a key'),
  key_file: pemFile('the key of the client certificate'),
  ca: pem('the certificate authorities, instead of `ca_file`'),
  cert: pem('the client certificate, instead of `cert_file`'),
  key: pem('the key, instead of `key_file`. A secret: take it from the environment'),
  key_passphrase: text.describe('Passphrase of an encrypted key. A secret: take it from the environment.'),
  server_name: text.describe('Name in the brokers’ certificates, if it differs from their host name.'),
});

export const tlsOption = z
  .union([z.boolean(), certificates])
  .default(false)
  .describe('`true` connects to the brokers over TLS. An object also sets the certificates.');

const PASSWORDS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
export type PasswordMechanism = (typeof PASSWORDS)[number];

export function loginOption(mechanism: PasswordMechanism) {
  return z
    .strictObject({
      mechanism: z
        .enum([...PASSWORDS, 'oauthbearer', 'aws-iam'])
        .default(mechanism)
        .describe(
          'SASL mechanism. `oauthbearer` uses tokens from an OAuth 2.0 endpoint (client credentials). `aws-iam` uses the AWS identity of this process, for Amazon MSK. The others use `user` and `password`. Use `plain` only with `tls`, except on a single machine.',
        ),
      user: text.describe('Name of the user.'),
      password: text.describe('Password of the user. A secret: take it from the environment.'),
      token_url: z
        .url({ protocol: /^https?$/, error: 'not an address such as https://login.example.com/oauth2/token' })
        .optional()
        .describe('`oauthbearer`: URL of the endpoint that issues tokens for `client_id` and `client_secret`.'),
      client_id: text.describe('`oauthbearer`: id of this client at the token endpoint.'),
      client_secret: text.describe('`oauthbearer`: secret of this client. Take it from the environment.'),
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

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function isProtected(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || LOOPBACK.has(hostname);
}

export type TlsSettings = z.output<typeof tlsOption>;
export type LoginSettings = NonNullable<z.output<ReturnType<typeof loginOption>>>;

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
