import type { AvroRecord } from '../streams/declaration.ts';
import { type Source, streamSchemas } from '../streams/streams.generated.ts';
import { isObject, type JsonObject, keep, type Leftovers, planOf, readFields } from './fields.ts';

const declared = streamSchemas.activity.fields.find((field) => field.name === 'origin')!.type as AvroRecord;

/** `slug` is the old generation's name of `provider`: known, though no field of its own. */
const plan = planOf(declared, '$.data.source', [], ['slug']);

/** Members of the data that {@link readOrigin} reads. */
export const originMembers = ['source'] as const;

/** Providers that write local time marked as UTC, and whose offset has to be ignored (service-facts §6). */
const floating = new Set(['freestyle_libre', 'abbott_libreview']);

export function timeBasis(provider: string): 'utc' | 'floating' {
  return floating.has(provider) ? 'floating' : 'utc';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.isWellFormed() ? value : null;
}

function slugOf(value: unknown): string | null {
  return textOf(isObject(value) ? value.slug : value);
}

/**
 * Reads `data.source` in either generation: `{provider, type, app_id, device_id, …}` or `{name, slug, logo}`. The provider
 * is `source.provider`, else `source.slug`, else the slug of `data.provider`, else `unknown` (service-facts §3). Some
 * summaries repeat members of the source as `source_provider`, `source_type` beside it: they count where nothing else does.
 */
export function readOrigin(data: JsonObject, leftovers: Leftovers): Source {
  const target: Record<string, unknown> = { ...plan.empty };
  const source = data.source;
  if (isObject(source)) {
    const { slug } = source;
    readFields(plan, source, 'data.source', target, leftovers);
    target.provider ??= textOf(slug);
    if (slug !== undefined && slug !== null && slug !== target.provider) keep(leftovers, 'data.source.slug', slug);
  } else if (source !== undefined && source !== null) {
    keep(leftovers, 'data.source', source);
  }
  target.provider = textOf(target.provider ?? slugOf(data.provider) ?? data.source_provider) ?? 'unknown';
  target.source_type = textOf(target.source_type ?? data.source_type) ?? 'unknown';
  return target as unknown as Source;
}
