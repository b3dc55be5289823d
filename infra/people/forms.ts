import { instantText, microText } from './calendar.ts';
import type { ProviderConnection, Source } from './connection.ts';
import type { Provider } from './provider.ts';
import { randomOf, stream } from './random.ts';

/** The form of the events of a user: the oldest form, both forms during the transition, or the current form. */
export type Generation = 'old' | 'both' | 'current';

/** Returns the deprecated description of a provider. */
export function describeProvider({ name, slug }: Provider): { name: string; slug: string; logo: string } {
  return { name, slug, logo: `https://images.example.com/${slug}.png` };
}

/** The oldest form has 3 members, the transitional form has 9 (some are null), and the current form has 4. */
function sourceOf(source: Source, provider: Provider, generation: Generation): object {
  if (generation === 'current') return source;
  const described = describeProvider(provider);
  return generation === 'old' ? described : { ...source, sport: null, workout_id: null, ...described };
}

interface Sample {
  readonly end?: string;
  readonly timestamp: string;
  readonly type: string | null;
}

/** Only the transitional form has the deprecated `timestamp` of an interval. */
function sampleForm({ timestamp, type, ...sample }: Sample, absentType: '' | null): object {
  return { ...(sample.end === undefined ? { timestamp } : {}), ...sample, type: type ?? absentType };
}

/** Returns the `data` of a timeseries event. The oldest form also has `user_id`, `source_id` and sometimes `provider`. */
function timeseriesForm(
  samples: readonly Sample[],
  source: object,
  { person, provider, seed }: ProviderConnection,
  { generation, at }: Form,
): object {
  if (generation === 'both') return { source, data: samples };
  if (generation === 'current') return { source, data: samples.map((sample) => sampleForm(sample, null)) };
  const absentType = randomOf(seed, stream.form, at, samples.length).chance(0.5) ? '' : null;
  return {
    source,
    data: samples.map((sample) => sampleForm(sample, absentType)),
    user_id: person.userId,
    source_id: provider.number + 1,
    ...(seed % 2 === 0 ? { provider: describeProvider(provider) } : {}),
  };
}

interface Summary {
  readonly date?: string;
  readonly daily_movement?: number;
  readonly efficiency?: number;
}

/** The times (ms) at which the service learned of a summary and of its version. The oldest form does not have them. */
function versionOf(form: Form): { created_at?: string; updated_at?: string } {
  if (form.generation === 'old') return {};
  // The digits below a millisecond depend only on the instant, so that equal instants are formatted the same.
  const text = (ms: number) =>
    form.generation === 'both' ? instantText(ms, 'offset') : microText(ms * 1000 + (ms % 997), '+00:00');
  return { created_at: text(form.since), updated_at: text(form.at) };
}

function summaryForm({ date, daily_movement, ...summary }: Summary, source: object, form: Form): object {
  const { efficiency } = summary;
  return {
    ...summary,
    ...(form.generation === 'current' || date === undefined ? {} : { date }),
    ...(form.generation === 'current' || daily_movement === undefined ? {} : { daily_movement }),
    // Real events contain both percentages (93.1) and fractions (0.93).
    ...(form.generation === 'old' && efficiency !== undefined ? { efficiency: Math.round(efficiency) / 100 } : {}),
    source,
    ...versionOf(form),
  };
}

export interface Form {
  readonly generation: Generation;
  /** when the service learns of the data (ms) */
  readonly at: number;
  /** for a summary: when the service learned of its first version (ms) */
  readonly since: number;
}

/** Returns the `data` of a daily event as the service sends it. The service adds the times at which it learned of a summary. */
export function sentForm(data: object, connection: ProviderConnection, form: Form): object {
  const { source: given, ...rest } = data as { source: Source; data?: readonly Sample[] };
  const source = sourceOf(given, connection.provider, form.generation);
  if (rest.data !== undefined) return timeseriesForm(rest.data, source, connection, form);
  return 'id' in rest ? summaryForm(rest as Summary, source, form) : { ...rest, source };
}
