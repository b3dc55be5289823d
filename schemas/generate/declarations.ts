import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prefixesOf } from '../events/resource.ts';
import type { AvroRecord, FieldDeclaration, StreamAttributes, StreamDeclaration } from '../streams/declaration.ts';

const folder = join(import.meta.dirname, '..', 'streams');

/** Types that several streams share. Each type is declared in its own file. */
const shared = ['receipt', 'envelope', 'source'] as const;

/** Sorts streams by name, with those that keep whole deliveries at the end. */
function order(a: StreamDeclaration, b: StreamDeclaration): number {
  const whole = Number(a.schema.aorta.shape === 'whole') - Number(b.schema.aorta.shape === 'whole');
  return whole !== 0 ? whole : a.stream.localeCompare(b.stream, 'en');
}

function readRecord(file: string): AvroRecord {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as AvroRecord;
}

/** Returns the attributes of a stream. A timeseries stream must not declare prefixes, because they come from its resources. */
function attributesOf(stream: string, declared: StreamAttributes): StreamAttributes {
  if (declared.shape !== 'timeseries') {
    if (declared.prefixes.some((prefix) => !prefix.endsWith('.')))
      throw new Error(`${stream}.avsc: end each prefix with a dot, and declare what follows it in endings`);
    if (declared.prefixes.length > 0 !== declared.endings.length > 0)
      throw new Error(`${stream}.avsc: declare endings for the prefixes, or neither`);
    return declared;
  }
  if (declared.prefixes !== undefined)
    throw new Error(`${stream}.avsc: remove the prefixes, because those of a timeseries stream come from its resources`);
  return { ...declared, prefixes: prefixesOf(stream) };
}

/** Reads the `.avsc` files. If a stream refers to a shared type, replaces the reference with the definition of the type. */
export function readDeclarations(): { shared: AvroRecord[]; streams: StreamDeclaration[] } {
  const named = new Map(shared.map((name) => readRecord(`${name}.avsc`)).map((record) => [record.name, record]));
  const streams = readdirSync(folder)
    .filter((file) => file.endsWith('.avsc') && !shared.some((name) => file === `${name}.avsc`))
    .map((file) => {
      const schema = readRecord(file) as StreamDeclaration['schema'];
      const inline = (field: FieldDeclaration): FieldDeclaration => {
        const definition = typeof field.type === 'string' ? named.get(field.type) : undefined;
        return definition === undefined ? field : { ...field, type: definition };
      };
      const stream = file.replace('.avsc', '');
      return { stream, schema: { ...schema, aorta: attributesOf(stream, schema.aorta), fields: schema.fields.map(inline) } };
    })
    .sort(order);
  return { shared: [...named.values()], streams };
}
