import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { ConfigurationRefused } from '../errors.ts';
import { parseConfiguration } from './configuration.ts';
import { editorSchema, type JsonSchema } from './reference.ts';
import { configurationSchema } from './schema.ts';

interface Definition {
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

/** Returns every field of a schema that is marked as a secret, by its path. */
function secretsIn(schema: z.ZodType, path = ''): [path: string, schema: z.ZodType][] {
  const { innerType, in: input, options, element, shape = {} } = schema._zod.def as unknown as Definition;
  const inner = [innerType, input, ...(options ?? [])].filter((one) => one !== undefined);
  const found = inner.flatMap((one) => secretsIn(one, path));
  const listed = element === undefined ? [] : secretsIn(element, `${path}[]`);
  const fields = Object.entries(shape).flatMap(([name, field]) => secretsIn(field, path === '' ? name : `${path}.${name}`));
  const own = schema.meta()?.writeOnly === true && inner.length === 0 ? [[path, schema] as [string, z.ZodType]] : [];
  return [...own, ...found, ...listed, ...fields];
}

/** One of these values fits each secret. */
const samples = [
  'Endpoint=sb://ns.example.com/;SharedAccessKeyName=listen;SharedAccessKey=c2VjcmV0c2VjcmV0c2VjcmV0',
  'https://user:pass@example.com/hook',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
];

const secrets = new Map(secretsIn(configurationSchema));
const sampleOf = (schema: z.ZodType): string => samples.find((sample) => schema.safeParse(sample).success) ?? '';

test('the schema marks the known secrets', () => {
  expect([...secrets.keys()]).toEqual(
    expect.arrayContaining([
      'sources[].secrets[]',
      'sources[].connection',
      'sources[].checkpoints.connection',
      'sources[].proxy',
      'sources[].login.password',
      'sources[].tls.key_passphrase',
      'sources[].intake.login.client_secret',
      'streams.registry.password',
      'streams.login.user',
      'service.key',
      'historical_pulls.notices.webhook',
      'historical_pulls.notices.secret',
      'historical_pulls.notices.authentication.value',
    ]),
  );
});

/** Names and descriptions that make a field look like a secret. */
const LOOKS_SECRET = /secret|passw|passphrase|token|credential|(^|_)(key|connection|sas|proxy)$/;

/** Fields that look like a secret, but only say where it is or how it is used. */
const notSecret = ['key_file', 'key_header', 'token_url', 'scope', 'audience'];

test('every text field whose name or description looks like a secret is one', () => {
  const suspects = (schema: JsonSchema): string[] =>
    [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])]
      .flatMap(suspects)
      .concat(
        Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
          const texts = field.type === 'string' || field.items?.type === 'string';
          const looks = LOOKS_SECRET.test(name) || /A secret|is a secret|[Ss]ecret:/.test(field.description ?? '');
          const { writeOnly } = (field.items ?? field) as { readonly writeOnly?: boolean };
          return [...(texts && looks && writeOnly !== true && !notSecret.includes(name) ? [name] : []), ...suspects(field)];
        }),
      );
  expect(suspects(editorSchema())).toEqual([]);
});

test.each([...secrets])('%s: white space around the secret is ignored', (_, schema) => {
  const sample = sampleOf(schema);
  for (const [before, after] of [['', '\n'], ['', '\r\n'], [' ', ''], ['\ufeff', '\u200b'], ['\t\u00a0', '\u2028\0']]) // biome-ignore format: a list of pairs
    expect(schema.parse(`${before}${sample}${after}`)).toBe(sample);
});

test.each([...secrets])('%s: a secret in quotes is refused, and so is an empty one', (_, schema) => {
  const sample = sampleOf(schema);
  const messages = (text: string) => schema.safeParse(text).error?.issues.map(({ message }) => message);
  for (const [
    before,
    after,
  ] of ['""', "''", '``', '“”', '„“', '‘’', '«»', '»«'].map((pair) => [...pair]).concat([['\\"', '\\"'], [' "', '"\n']])) // biome-ignore format: a list of pairs
    expect(messages(`${before}${sample}${after}`)).toEqual(['the value has quotes around it; remove them']);
  for (const text of ['', ' ', '\r\n', '\ufeff'])
    expect(schema.safeParse(text).error?.issues).toMatchObject([{ code: 'too_small' }]);
});

test('a secret may have quotes at one end, or inside', () => {
  const password = secrets.get('streams.login.password')!;
  for (const text of ['"a', "a'", 'a"b"c', '"']) expect(password.parse(text)).toBe(text);
});

test('the message names the setting and the variable, not the value', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration uses this syntax for variables
  const text = 'service:\n  base_url: https://api.example.com\n  key: "${API_KEY}"\n';
  const problems = (key: string): string[] => {
    try {
      parseConfiguration('aorta.yaml', text, { API_KEY: key });
      return [];
    } catch (error) {
      return (error as ConfigurationRefused).problems.map(({ message, remedy }) => `${message} ${remedy}`);
    }
  };
  expect(problems('Zq81\r\n')).toEqual([]);
  expect(problems('"Zq81"')).toEqual([
    'aorta.yaml:3: service.key: the value has quotes around it; remove them. Such quotes usually belong to the syntax of a file, such as .env, and not to the secret. The value comes from the environment variable API_KEY.',
  ]);
  expect(problems('\n')).toEqual([
    'aorta.yaml:3: service.key: this is empty. Give a value, or remove the field. The value comes from the environment variable API_KEY.',
  ]);
  expect(problems('Zq\n81')).toEqual([
    expect.stringMatching(
      /^aorta\.yaml:3: service\.key: this is not a value of an HTTP header: it has a line break or another character/,
    ),
  ]);
});
