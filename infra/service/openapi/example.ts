type Json = Readonly<Record<string, unknown>>;

/** The members of a JSON Schema that decide an example. */
interface Schema {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Values that say more than their type does, by the name of the member. A value applies if it has the type of the member. */
const byName: Readonly<Record<string, string | number>> = {
  client_user_id: 'customer-17',
  fallback_time_zone: 'Europe/Berlin',
  time_zone: 'Europe/Berlin',
  provider: 'oura',
  source_provider: 'oura',
  source_slug: 'manual',
  slug: 'oura',
  name: 'Oura',
  first_name: 'Jo',
  last_name: 'Doe',
  first_line: '1 Main Street',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+16025550123',
  logo: 'https://images.example.com/oura.png',
  app_id: 'com.example.app',
  ingestion_start: '2025-01-01',
  ingestion_end: '2026-12-31',
  fallback_birth_date: '1980-02-03',
  end: '2026-01-31T08:30:00.000+00:00',
  session_end: '2026-01-31T15:15:00.000+00:00',
  bedtime_stop: '2026-01-31T15:15:00.000+00:00',
  time_end: '2026-01-31T09:00:00.000+00:00',
  timezone_offset: 3_600,
  value: 61,
  systolic: 120,
  diastolic: 80,
  time: 1_769_847_300,
  offset: 0,
  limit: 100,
  page: 1,
  size: 50,
};

const byFormat: Readonly<Record<string, string>> = {
  uuid: '7a1e2b3c-0000-4000-8000-000000000001',
  guid: '7a1e2b3c-0000-4000-8000-000000000001',
  date: '2026-01-31',
  email: 'jo@example.com',
  'date-time': '2026-01-31T08:15:00.000+00:00',
};

/** Keys of maps, by the name of the map. Other maps are by resource. */
const keys: Readonly<Record<string, string>> = { groups: 'oura', provider: 'oura' };

/** Returns a value of a schema whose references lead to `components`. `name` is that of the member which has the value. */
export function exampleOf(schema: Json, components: Readonly<Record<string, Json>>, name = ''): unknown {
  return example(schema as Schema, name);

  function example(one: Schema, member: string): unknown {
    const own = [...(one.examples ?? []), ...('const' in one ? [one.const] : []), ...(one.enum ?? [])];
    if (own.length > 0) return own[0];
    if (one.$ref !== undefined) return example(components[one.$ref.split('/').at(-1)!] as Schema, member);
    if (one.anyOf !== undefined) return example(firstOf(one), member);
    if (one.oneOf !== undefined) return example(one.oneOf[0]!, member);
    switch ([one.type].flat()[0]) {
      case 'object':
        return objectOf(one, member);
      case 'array':
        return (one.prefixItems ?? [one.items!]).map((item) => example(item, member));
      default:
        return scalarOf(one, member);
    }
  }

  function objectOf({ properties, required = [], additionalProperties, propertyNames }: Schema, member: string): Json {
    // An object with members that are not listed is no map.
    if (typeof additionalProperties === 'object' && properties === undefined) {
      const key = (propertyNames?.enum?.[0] as string | undefined) ?? keys[member] ?? 'sleep';
      return { [key]: example(additionalProperties, '') };
    }
    return Object.fromEntries(
      Object.entries(properties ?? {})
        .filter(([key, property]) => required.includes(key) || property.deprecated !== true)
        .map(([key, property]) => [key, example(property, key)]),
    );
  }
}

/** Returns the first alternative that is not null, with the description of all alternatives. */
function firstOf({ anyOf = [], description }: Schema): Schema {
  const first = anyOf.find(({ type }) => type !== 'null') ?? {};
  const type = anyOf.some((one) => one.type === 'null') && typeof first.type === 'string' ? [first.type, 'null'] : first.type;
  return { ...(description === undefined ? {} : { description }), ...first, ...(type === undefined ? {} : { type }) };
}

function scalarOf(
  { type, format = '', description = '', minimum = 1, maximum = Number.MAX_VALUE }: Schema,
  name: string,
): unknown {
  const kind = [type].flat()[0];
  const named = byName[name];
  if (typeof named === (kind === 'integer' ? 'number' : kind)) return named;
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') return Math.min(Math.max(1, minimum), maximum);
  return byFormat[format] ?? /Known values: ([^,.]+)/.exec(description)?.[1] ?? (type?.includes('null') ? null : 'text');
}
