import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prefixesOf } from '../events/resource.ts';
import type { AvroRecord, FieldDeclaration, StreamAttributes, StreamDeclaration } from '../streams/declaration.ts';

const folder = join(import.meta.dirname, '..', 'streams');

/** Types that several streams share; each stands in a file of its own name. */
const shared = ['receipt', 'envelope', 'source'] as const;

/** Order in which streams are listed: as the folder does, those that keep deliveries whole at the end. */
function order(a: StreamDeclaration, b: StreamDeclaration): number {
  const whole = Number(a.schema.aorta.shape === 'whole') - Number(b.schema.aorta.shape === 'whole');
  return whole !== 0 ? whole : a.stream.localeCompare(b.stream, 'en');
}

function readRecord(file: string): AvroRecord {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as AvroRecord;
}

/** The attributes of a stream: the prefixes of a timeseries stream are not declared again, they follow from its resources. */
function attributesOf(stream: string, declared: StreamAttributes): StreamAttributes {
  if (declared.shape !== 'timeseries') return declared;
  if (declared.prefixes !== undefined)
    throw new Error(`${stream}.avsc: the prefixes of a timeseries stream follow from its resources`);
  return { ...declared, prefixes: prefixesOf(stream) };
}

/** Reads the `.avsc` files: shared types apart, and in each stream the first mention of a shared type replaced by its definition, as Avro wants it. */
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
