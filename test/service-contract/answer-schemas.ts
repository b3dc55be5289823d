import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as formats } from 'ajv-formats';
import { type Alternatives, describedAnswers, describedEvents, type Type } from '../catalogue/catalogue.ts';
import { type Exchange, nameOf } from './exchange.ts';

const ajv = formats.default(new Ajv2020({ allErrors: true }));

const scalars: Readonly<Record<string, AnySchemaObject>> = {
  text: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  instant: { type: 'string', format: 'date-time' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  any: {},
};

/** Returns the JSON Schema of a value. Its objects have no members beside those that the vendor documents. */
function schemaOf({ types, nullable }: Alternatives): AnySchemaObject {
  const schemas = types.map(schemaOfType);
  const schema = schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  return nullable ? { if: { type: 'null' }, else: schema } : schema;
}

function schemaOfType(type: Type): AnySchemaObject {
  if (type.kind === 'scalar') return scalars[type.scalar]!;
  if (type.kind === 'constant') return { const: type.value };
  if (type.kind === 'enumeration') return { enum: type.values };
  if (type.kind === 'list') return { type: 'array', items: schemaOf(type.items) };
  if (type.kind === 'map')
    return {
      type: 'object',
      additionalProperties: schemaOf(type.values),
      propertyNames: type.keys === undefined ? undefined : { enum: type.keys },
    };
  if (type.kind === 'tuple') {
    const { length } = type.members;
    return { type: 'array', prefixItems: type.members.map(schemaOf), minItems: length, maxItems: length };
  }
  return {
    type: 'object',
    properties: Object.fromEntries(type.fields.map((field) => [field.name, schemaOf(field)])),
    required: type.fields.filter(({ optional }) => !optional).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Compiled schemas, because compiling takes longer than validating. */
const validators = new Map<Alternatives, ValidateFunction>();

const UNDOCUMENTED = 'the status is not documented';

/**
 * Returns where an answer differs from what the vendor documents, such as `/users/*: must have required property 'team_id'`.
 * Returns nothing if the vendor does not document the operation.
 */
export function deviationsOf({ operation, status, body }: Exchange): string[] {
  const answers = describedAnswers.get(nameOf(operation));
  if (answers === undefined) return [];
  if (!answers.has(status)) return [UNDOCUMENTED];
  const described = answers.get(status);
  if (described === undefined) return body === undefined ? [] : ['must have no body'];
  return differences(described, body);
}

/** An event with all of its members, by event type. */
const events = new Map(
  describedEvents.map(({ type, fields }): [string, Alternatives] => {
    const event_type = { kind: 'constant', value: type } as const;
    const own = { name: 'event_type', types: [event_type], nullable: false, optional: false, deprecated: false };
    return [type, { types: [{ kind: 'object', fields: [own, ...fields] }], nullable: false }];
  }),
);

/** Returns where the body of an event differs from what the vendor documents. */
export function eventDeviationsOf(body: { readonly event_type: string }): string[] {
  const described = events.get(body.event_type);
  return described === undefined ? ['the event type is not documented'] : differences(described, body);
}

function differences(described: Alternatives, value: unknown): string[] {
  const validate = validators.get(described) ?? ajv.compile(schemaOf(described));
  validators.set(described, validate);
  validate(value);
  return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if').map(textOf);
}

function textOf({ instancePath, keyword, params, message }: ErrorObject): string {
  const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  return keyword === 'additionalProperties'
    ? `${place}/${String(params.additionalProperty)}: is not documented`
    : `${place}: ${message}`;
}
