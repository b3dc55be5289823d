import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogueFile, EnvelopeFacts, ShapeFacts } from './catalogue.ts';

/**
 * Writes catalogue.json from the service's two OpenAPI files:
 * `node test/catalogue/extract.ts service-openapi.json management-openapi.json`. Run it by hand when the service publishes a new
 * file, and format the result with `biome`. It copies the names of operations, the names and types of the members of webhooks and
 * answers, and the values of their enumerations, but no descriptions or examples. catalogue.ts explains the notation.
 */

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly deprecated?: boolean;
}

interface Described {
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Partial<Record<'application/json' | 'application/pdf', { readonly schema: Schema }>>> }
    >
  >;
}

interface OpenApi {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: { readonly content: Readonly<Record<'application/json', { readonly schema: Schema }>> };
        };
      }
    >
  >;
}

/** Paths whose answers the tests need. */
const COVERED = /^\/(v2\/(user|link|summary|timeseries|introspect)|v3\/(lab_test|order|unmatched_result)|lab_report|v1\/org)/;
/** Paths of the management API that are out of scope, see test/service-contract/scope.ts. */
const NOT_COVERED = /^\/v1\/org\/\{org_id\}\/.*(ehr_|domain|member|invite|continuous_query)/;

const scalars: Readonly<Record<string, string>> = {
  string: 'text',
  'string email': 'text',
  'string password': 'text',
  'string uri': 'text',
  'string uuid': 'uuid',
  'string uuid4': 'uuid',
  'string date': 'date',
  'string date-time': 'instant',
  integer: 'integer',
  'integer int64': 'integer',
  number: 'number',
  boolean: 'boolean',
};

/** Comes before the names of the management API, because both files have schemas of the same name. */
const MANAGEMENT = 'Management.';

const shapes: Record<string, ShapeFacts> = {};
const enumerations: Record<string, readonly (string | number)[]> = {};

const nameOf = ({ $ref }: Schema): string => $ref!.slice($ref!.lastIndexOf('/') + 1);

const grouped = (type: string): string => (type.includes(' | ') ? `(${type})` : type);

/** Returns the type of a schema in the catalogue's notation. `place` names an enumeration or tuple without a name. */
function typeOf(schema: Schema, place: string): string {
  if (schema.$ref !== undefined) return named(nameOf(schema));
  if (schema.anyOf !== undefined) return schema.anyOf.map((branch) => typeOf(branch, place)).join(' | ');
  if (schema.const !== undefined) return `= ${JSON.stringify(schema.const)}`;
  if (schema.enum !== undefined) {
    enumerations[place] = [...new Set(schema.enum)];
    return place;
  }
  if (schema.type === 'null') return 'null';
  if (schema.prefixItems !== undefined) {
    shapes[place] ??= { members: schema.prefixItems.map((item, index) => typeOf(item, `${place}.${index}`)) };
    return place;
  }
  if (schema.type === 'array') return `list of ${grouped(typeOf(schema.items!, place))}`;
  if (schema.type === 'object') {
    const values = schema.additionalProperties;
    if (values === undefined || values === true) return 'map of any';
    const keys = schema.propertyNames === undefined ? '' : ` by ${typeOf(schema.propertyNames, place)}`;
    return `map of ${grouped(typeOf(values as Schema, place))}${keys}`;
  }
  if (schema.type === undefined && Object.keys(schema).every((member) => member === 'title')) return 'any';
  const scalar = scalars[[schema.type, schema.format].filter(Boolean).join(' ')];
  if (scalar === undefined) throw new Error(`no type for ${place}`);
  return scalar;
}

/** Adds a named schema to the catalogue unless it is already there. Returns its type in the catalogue's notation. */
function named(name: string): string {
  const schema = openApi.components.schemas[name]!;
  if (schema.properties === undefined) return typeOf(schema, name);
  if (shapes[name] === undefined) {
    const fields: Record<string, string> = {};
    shapes[name] = { fields };
    Object.assign(fields, fieldsOf(schema, name));
  }
  return name;
}

function fieldsOf(schema: Schema, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schema.properties!).map(([member, field]) => {
      const optional = schema.required?.includes(member) === true ? '' : 'optional ';
      return [member, `${field.deprecated === true ? 'deprecated ' : ''}${optional}${typeOf(field, `${name}.${member}`)}`];
    }),
  );
}

/** Returns both files as one. */
function merged(service: OpenApi, management: OpenApi): OpenApi {
  const renamed = Object.entries(management.components.schemas).map(([name, schema]) => [`${MANAGEMENT}${name}`, schema]);
  return {
    ...service,
    paths: { ...service.paths, ...management.paths },
    components: { schemas: { ...service.components.schemas, ...Object.fromEntries(renamed) } },
  };
}

const [serviceText, managementText] = process.argv.slice(2).map((file) => readFileSync(file, 'utf8')) as [string, string];
const management = JSON.parse(managementText.replaceAll('"#/components/schemas/', `$&${MANAGEMENT}`)) as OpenApi;
const openApi = merged(JSON.parse(serviceText) as OpenApi, management);
const envelopes = new Map<string, { fields: Record<string, string>; data: Record<string, string> }>();
for (const { post } of Object.values(openApi.webhooks)) {
  const name = nameOf(post.requestBody.content['application/json'].schema);
  const schema = openApi.components.schemas[name]!;
  const { event_type, data, ...around } = schema.properties!;
  const fields = fieldsOf({ ...schema, properties: around }, name);
  const types = event_type!.enum ?? [event_type!.const as string];
  const envelope = envelopes.get(JSON.stringify(fields)) ?? { fields, data: {} };
  envelopes.set(JSON.stringify(fields), envelope);
  for (const type of types) envelope.data[type] = typeOf(data!, `${name}.data`);
}

const answers: Record<string, Record<string, string>> = {};
for (const [path, methods] of Object.entries(openApi.paths)) {
  if (!COVERED.test(path) || NOT_COVERED.test(path)) continue;
  for (const [method, { responses }] of Object.entries(methods)) {
    const name = `${method.toUpperCase()} ${path}`;
    answers[name] = Object.fromEntries(
      Object.entries(responses).map(([status, { content }]) => {
        const schema = content?.['application/pdf'] === undefined ? content?.['application/json']?.schema : undefined;
        return [status, schema === undefined ? 'nothing' : typeOf(schema, `${name} ${status}`)];
      }),
    );
  }
}

const sorted = <T>(object: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
const file: CatalogueFile = {
  version: openApi.info.version,
  managementVersion: management.info.version,
  operations: Object.entries(openApi.paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .sort(),
  answers: sorted(answers),
  envelopes: [...envelopes.values()].map(({ fields, data }): EnvelopeFacts => ({ fields, data: sorted(data) })),
  shapes: sorted(shapes),
  enumerations: sorted(enumerations),
};
writeFileSync(join(import.meta.dirname, 'catalogue.json'), `${JSON.stringify(file, undefined, 2)}\n`);
