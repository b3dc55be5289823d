import type { Source } from '../streams/streams.generated.ts';
import { isObject, type JsonObject, keep, type Leftovers, readFields } from './fields.ts';
import { planOfNested } from './plans.ts';

/** `slug` is the old generation's name of `provider`: known, though no field of its own. */
const plan = planOfNested('activity', 'origin', '$.data.source', ['slug']);

/** Members of the data that {@link readOrigin} reads. */
export const originMembers = ['source'] as const;

/** Providers that write local time marked as UTC, and whose offset has to be ignored. */
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

/** A text field as it was read; null if it still holds the '' of before and the event did not send an empty text. */
function readText(field: string, sent: unknown): string | null {
  return field === '' && sent !== '' ? null : field;
}

/**
 * Reads `data.source` in either generation: `{provider, type, app_id, device_id, …}` or `{name, slug, logo}`. The provider
 * is `source.provider`, else `source.slug`, else the slug of `data.provider`, else `unknown`. Some
 * summaries repeat members of the source as `source_provider`, `source_type` beside it: they count where nothing else does.
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
