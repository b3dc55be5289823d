import type { Source } from '../streams/streams.generated.ts';
import { isObject, type JsonObject, keep, type Leftovers, planOfNested, readFields } from './fields.ts';

/** `slug` is the old name of `provider`. {@link readOrigin} reads it, so it does not count as unknown. */
const plan = planOfNested('activity', 'origin', '$.data.source', ['slug']);

/** The members of `data` that {@link readOrigin} reads. */
export const originMembers = ['source'] as const;

/** Providers that send local time marked as UTC. The UTC offset in their data must be ignored. */
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

/** Returns the value of a string field after reading. Returns null if the field still has its initial '' and the event did not send ''. */
function readText(field: string, sent: unknown): string | null {
  return field === '' && sent !== '' ? null : field;
}

/**
 * Reads `data.source` in its current form, `{provider, type, app_id, device_id, …}`, or its old form, `{name, slug, logo}`.
 *
 * The provider is taken from the first of these that is present: `source.provider`, `source.slug`, the slug of
 * `data.provider`, `data.source_provider`. The type is taken from `source.type` or else from `data.source_type`. Both
 * default to `unknown`.
 */
export function readOrigin(data: JsonObject, leftovers: Leftovers): Source {
  const target: Source = { ...plan.empty, provider: '', source_type: '' };
  const source = data.source;
  let provider: string | null = null;
  let sourceType: string | null = null;
  if (isObject(source)) {
    const { slug, type } = source;
    readFields(plan, source, target, { path: 'data.source', leftovers });
    provider = readText(target.provider, source.provider) ?? textOf(slug);
    sourceType = readText(target.source_type, type);
    if (slug !== undefined && slug !== null && slug !== provider) keep(leftovers, 'data.source.slug', slug);
  } else if (source !== undefined && source !== null) {
    keep(leftovers, 'data.source', source);
  }
  target.provider = textOf(provider ?? slugOf(data.provider) ?? data.source_provider) ?? 'unknown';
  target.source_type = textOf(sourceType ?? data.source_type) ?? 'unknown';
  return target;
}
