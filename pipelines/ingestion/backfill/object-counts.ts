import { type Dates, dateOf } from './plan.ts';

/** Number of fetched objects (summaries or samples) of a resource, by provider slug. */
export type Objects = Readonly<Record<string, number>>;

/** Counts the summaries on a page for each provider. Skips summaries whose date is known but outside `own`. */
export function objectsAt(summaries: readonly unknown[], own: Dates): Objects {
  const objects: Record<string, number> = {};
  for (const summary of summaries) {
    const date = memberOf(summary, 'calendar_date');
    if (!isWithin(typeof date === 'string' ? date.slice(0, 10) : undefined, own)) continue;
    const source = memberOf(summary, 'source');
    count(objects, providerOf(source) ?? memberOf(summary, 'source_provider'));
  }
  return objects;
}

/** Counts the samples on a page for each provider. Skips samples whose UTC date is known but outside `own`. */
export function objectsOf(groups: Readonly<Record<string, readonly unknown[]>>, own: Dates): Objects {
  const objects: Record<string, number> = {};
  for (const [slug, some] of Object.entries(groups))
    for (const group of some) {
      const samples = memberOf(group, 'data');
      if (!Array.isArray(samples)) continue;
      const provider = providerOf(memberOf(group, 'source')) ?? slug;
      for (const sample of samples) if (isWithin(dateOfSample(sample), own)) count(objects, provider);
    }
  return objects;
}

/** Returns the UTC date of a sample; undefined if the sample has no time. */
function dateOfSample(sample: unknown): string | undefined {
  const at = Date.parse(String(timeOf(sample)));
  return Number.isNaN(at) ? undefined : dateOf(at);
}

export function added(some: Objects, more: Objects): Objects {
  const sum: Record<string, number> = { ...some };
  for (const [provider, objects] of Object.entries(more)) sum[provider] = (sum[provider] ?? 0) + objects;
  return sum;
}

/** Returns a member of `value`; undefined if `value` is not an object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Returns the start time of a sample, as sent. */
export function timeOf(sample: unknown): unknown {
  return memberOf(sample, 'start') ?? memberOf(sample, 'timestamp');
}

/** Returns the provider of a source. In older objects, the member `slug` names the provider. */
function providerOf(source: unknown): unknown {
  return memberOf(source, 'provider') ?? memberOf(source, 'slug');
}

function isWithin(date: string | undefined, { from, to }: Dates): boolean {
  return date === undefined || (date >= from && date <= to);
}

function count(objects: Record<string, number>, provider: unknown): void {
  if (typeof provider === 'string' && provider !== '') objects[provider] = (objects[provider] ?? 0) + 1;
}
