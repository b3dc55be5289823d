import { z } from 'zod';

const broker = z
  .string()
  .regex(/^(\[[0-9A-Fa-f:]+\]|[A-Za-z0-9._-]+):[0-9]{1,5}$/, { error: 'not `host:port`, such as kafka-1.example.com:9092' });

export const brokersOption = z.array(broker).min(1).describe('Some brokers of the cluster (`host:port`); they name the others.');

const text = z.string().min(1).optional();
const pem = (what: string) => text.describe(`${what}, as PEM text.`);
const pemFile = (what: string) => text.describe(`${what}: a file (PEM).`);

const certificates = z.strictObject({
  ca_file: pemFile('Certificates that the brokers’ are signed with; default: those that Node knows'),
  cert_file: pemFile('Our own certificate, where the brokers ask for one. Needs a key'),
  key_file: pemFile('Key of our certificate'),
  ca: pem('In place of `ca_file`: the certificates themselves'),
  cert: pem('In place of `cert_file`: the certificate itself'),
  key: pem('In place of `key_file`: the key itself. A secret: take it from the environment'),
  key_passphrase: text.describe('Passphrase of an encrypted key. A secret: take it from the environment.'),
  server_name: text.describe('Name that the brokers’ certificates have, where it is not their host.'),
});

export const tlsOption = z
  .union([z.boolean(), certificates])
  .default(false)
  .describe('Whether the brokers are talked to over TLS; or with which certificates.');

const PASSWORDS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
export type PasswordMechanism = (typeof PASSWORDS)[number];

export function loginOption(mechanism: PasswordMechanism) {
  return z
    .strictObject({
      mechanism: z
        .enum([...PASSWORDS, 'oauthbearer', 'aws-iam'])
        .default(mechanism)
        .describe(
          'How Aorta logs in (SASL): with `user` and `password`; with tokens of an endpoint (`oauthbearer`: OAuth 2.0, client credentials); or as AWS knows this process (`aws-iam`, for Amazon MSK). `plain` only together with `tls`, outside of one machine.',
        ),
      user: text.describe('Name of the user.'),
      password: text.describe('Password of the user. A secret: take it from the environment.'),
      token_url: z
        .url({ protocol: /^https?$/, error: 'not an address such as https://login.example.com/oauth2/token' })
        .optional()
        .describe('`oauthbearer`: address that gives tokens to who shows `client_id` and `client_secret`.'),
      client_id: text.describe('`oauthbearer`: name of this client at the token endpoint.'),
      client_secret: text.describe('`oauthbearer`: its secret. Take it from the environment.'),
      scope: text.describe('`oauthbearer`: scope that is asked for, where the endpoint wants one.'),
      audience: text.describe('`oauthbearer`: audience that is asked for, where the endpoint wants one.'),
      region: text.describe('`aws-iam`: region of the cluster, such as eu-west-1.'),
      role: text.describe('`aws-iam`: ARN of a role that is assumed first; default: the identity of this process.'),
    })
    .superRefine((login, context) => {
      const wanted = fieldsOf[login.mechanism]!;
      for (const field of Object.keys(login) as (keyof typeof login)[]) {
        if (field === 'mechanism' || login[field] === undefined || wanted.all.includes(field)) continue;
        const hint = `Leave ${field} away, or give another mechanism.`;
        context.addIssue({ code: 'custom', path: [field], message: `not of \`${login.mechanism}\``, params: { hint } });
      }
      for (const field of wanted.needed) {
        if (login[field] !== undefined) continue;
        const hint = `Give ${field}, or another mechanism.`;
        context.addIssue({ code: 'custom', path: [field], message: `\`${login.mechanism}\` needs it`, params: { hint } });
      }
      if (login.token_url !== undefined && !isProtected(login.token_url)) {
        const hint = 'Give an address that begins with https://; http is for this machine alone.';
        context.addIssue({
          code: 'custom',
          path: ['token_url'],
          message: 'a secret would be sent in clear text',
          params: { hint },
        });
      }
    })
    .optional()
    .describe('How Aorta logs in, where the brokers ask for it. Where left out, nobody logs in.');
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
    return { message: `\`${twice}\` and \`${twice}_file\` are the same`, hint: 'Give the text, or the file that holds it.' };
  const [hasCertificate, hasKey] = [(cert ?? cert_file) !== undefined, (key ?? key_file) !== undefined];
  if (hasCertificate !== hasKey) return { message: 'a certificate and its key need each other', hint: 'Give both, or neither.' };
  if (key_passphrase !== undefined && !hasKey)
    return { message: '`key_passphrase` is of a key', hint: 'Give the key, too, or leave the passphrase away.' };
  return undefined;
}
