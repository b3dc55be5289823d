// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration uses this syntax for variables
import { z } from 'zod';
import { configurationSchema } from './schema.ts';

/** Returns the JSON Schema that editors use to complete and check `aorta.yaml`. */
export function editorSchema(): JsonSchema {
  return {
    ...(z.toJSONSchema(configurationSchema, { io: 'input' }) as JsonSchema),
    title: 'Configuration of Aorta',
  };
}

export interface JsonSchema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly minItems?: number;
}

/** Returns the configuration reference as a Markdown page. */
export function configurationReference(): string {
  const root = editorSchema();
  return [
    '# Configuration',
    '',
    'Generated from the schema in `pipelines/aorta/config/` by `npm run generate`. A test fails if this page is out of date.',
    '',
    'Aorta reads `aorta.yaml` in the working directory, or the file that `--config` names. Without a file, it uses the defaults below.',
    'Paths in the file are relative to the file. `aorta validate` checks the file and prints the settings in effect. `aorta validate --schema` prints a JSON Schema for editors.',
    '',
    'In strings, `${NAME}` is the value of the environment variable `NAME`. `${NAME:-default}` uses the default if the variable is unset or empty. `$$` is a dollar sign.',
    'A command needs only the variables of the [sections that it opens](cli.md#which-variables-a-command-needs).',
    'Inside `{ }` and `[ ]`, put such a string in quotes. Keep secrets in environment variables. Unknown fields are errors.',
    'Aorta ignores white space around a secret, such as the line end of a file, and refuses a secret that has quotes around it. So a secret cannot begin and end with a quote.',
    '',
    'On the command line, `--warehouse duckdb:PATH` selects a different warehouse. Its streams are in `PATH.streams`, or in the data folder that contains the warehouse.',
    '`--data FOLDER` selects a different data folder, which contains `streams/` and `warehouse.duckdb`.',
    '',
    '```yaml',
    'sources:',
    '  - { type: files, paths: [./incoming] }',
    'warehouse: { type: duckdb, path: ./health.duckdb }',
    'streams: { type: local, folder: ./streams }',
    '```',
    '',
    ...Object.entries(root.properties ?? {}).flatMap(([name, field]) => section(name, field)),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function section(name: string, field: JsonSchema): string[] {
  const lines = [`## \`${name}\``, ''];
  if (field.description !== undefined) lines.push(field.description, '');
  const inner = field.items ?? field;
  const forms = inner.oneOf ?? inner.anyOf ?? (inner.properties === undefined ? [] : [inner]);
  if (forms.length === 0) return [...lines, `${kindOf(field)}${defaultOf(field, '. Default: ')}.`, ''];
  if (field.items !== undefined) lines.push(`A list${field.default === undefined ? '' : ', empty by default'}. Each entry:`, '');
  return [...lines, ...forms.flatMap((form) => [...headOf(form, field, forms.length), ...table(form)])];
}

/**
 * Returns the lines above the table of a form, which is one of the kinds of object that a field accepts. If the field has
 * several forms, the heading is the form's `type`. The form's own description follows, if it has one.
 */
function headOf(form: JsonSchema, field: JsonSchema, forms: number): string[] {
  const lines: string[] = [];
  const type = form.properties?.type?.const;
  if (type !== undefined && forms > 1) lines.push(`### \`type: ${String(type)}\``, '');
  const isOwn = form !== field && (forms > 1 || field.items === undefined);
  if (form.description !== undefined && isOwn) lines.push(form.description, '');
  return lines;
}

const table = (form: JsonSchema): string[] => [
  '| field | type | default | meaning |',
  '| --- | --- | --- | --- |',
  ...rows(form, ''),
  '',
];

/**
 * Returns the table rows for the fields of a form, including nested fields. `only` is put before the description of each
 * field that is not nested. It names the form's `type`, or is empty if the form has none.
 */
function rows(form: JsonSchema, prefix: string, only = ''): string[] {
  return Object.entries(form.properties ?? {}).flatMap(([name, field]) => {
    const needed = form.required?.includes(name) === true && field.default === undefined;
    const line = `| \`${prefix}${name}\` | ${cell(kindOf(field))} | ${needed ? 'required' : cell(defaultOf(field, ''))} | ${cell(only + (field.description ?? ''))} |`;
    const forms = (field.oneOf ?? field.anyOf ?? []).flatMap((one) => {
      const type = one.properties?.type?.const;
      return rows(one, `${prefix}${name}.`, type === undefined ? '' : `For \`type: ${String(type)}\`: `);
    });
    return [line, ...rows(field, `${prefix}${name}.`), ...forms, ...rows(field.items ?? {}, `${prefix}${name}[].`)];
  });
}

function kindOf(field: JsonSchema): string {
  if (field.const !== undefined) return `\`${String(field.const)}\``;
  if (field.enum !== undefined) return field.enum.map((value) => `\`${String(value)}\``).join(', ');
  const branches = field.anyOf ?? field.oneOf;
  if (branches !== undefined) return branches.map(kindOf).join(' or ');
  return kinds[String(field.type)]?.(field) ?? 'string';
}

const kinds: Readonly<Record<string, (field: JsonSchema) => string>> = {
  array: ({ items }) => `list of ${items === undefined ? 'any values' : plural(kindOf(items))}`,
  object: ({ properties, additionalProperties: value }) => {
    if (properties?.type?.const !== undefined) return `object with \`type: ${String(properties.type.const)}\``;
    return typeof value === 'object' ? `object with values of type ${kindOf(value)}` : 'object';
  },
  integer: (field) => `whole number${limits(field)}`,
  number: (field) => `number${limits(field)}`,
  boolean: () => '`true`, `false`',
};

const plural = (kind: string): string => kind.replace(/^(?:string|number|whole number|object)\b/, '$&s');

function limits({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const least = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}`;
  const parts = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(exclusiveMinimum === undefined ? [] : [`greater than ${exclusiveMinimum}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  return parts.length === 0 ? '' : `, ${parts.join(' and ')}`;
}

function defaultOf(field: JsonSchema, before: string): string {
  if (field.default === undefined || (typeof field.default === 'object' && field.properties !== undefined)) return '';
  return `${before}\`${typeof field.default === 'string' ? field.default : JSON.stringify(field.default)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
