import { instantText, type Spelling } from './calendar.ts';
import { describeProvider, type ProviderConnection, sourceObject } from './connection.ts';
import { type Random, randomOf } from './random.ts';

export interface DiscreteSample {
  timestamp: string;
  timezone_offset: number | null;
  type: string | null;
  unit: string;
  value: number;
}

/** A sample over the interval [start, end). */
export interface IntervalSample {
  start: string;
  end: string;
  timestamp?: string;
  timezone_offset: number | null;
  type: string | null;
  unit: string;
  value: number;
}

/** The format of the samples of one event: how instants and absent types are written. */
export interface Handwriting {
  /** formats an instant (ms), shifted to the local wall clock if the provider's clock is `floating` */
  instant: (ms: number) => string;
  /** returns the seconds east of UTC at an instant (ms), or null */
  offset: (ms: number) => number | null;
  absentType: string | null;
}

/**
 * Draws the format of an event's instants. Providers that sample at regular intervals mostly use `+00:00` without a
 * fraction. Sometimes they use `Z` instead, or a fraction that consists of zeros.
 */
function spellingOf(connection: ProviderConnection, random: Random): Spelling {
  const draw = random.uniform();
  if (connection.provider.irregular) return draw < 0.75 ? 'offset-millis' : draw < 0.9 ? 'offset-micros' : 'z-millis';
  return draw < 0.84 ? 'offset' : draw < 0.94 ? 'z' : draw < 0.98 ? 'offset-micros' : 'offset-millis';
}

/**
 * Returns the format of the samples of the event that `words` identifies. A sample that is sent again in a different event
 * may have a different format.
 */
export function handwriting(connection: ProviderConnection, ...words: number[]): Handwriting {
  const random = randomOf(connection.seed, ...words);
  const spelling = spellingOf(connection, random);
  const { zone } = connection.person;
  const { clock } = connection.provider;
  return {
    instant:
      clock === 'floating'
        ? (ms) => instantText(ms + zone.offsetSeconds(ms) * 1000, spelling)
        : (ms) => instantText(ms, spelling),
    offset: clock === 'zoned' ? (ms) => zone.offsetSeconds(ms) : () => null,
    absentType: connection.generation === 'old' && random.chance(0.5) ? '' : null,
  };
}

/** Returns the `data` of a timeseries event. The oldest format also has `user_id`, `source_id` and sometimes `provider`. */
export function timeseriesData(connection: ProviderConnection, sourceType: string, samples: readonly object[]): object {
  const source = sourceObject(connection, sourceType, false);
  if (connection.generation !== 'old') return { source, data: samples };
  const old = { user_id: connection.person.userId, source_id: connection.provider.number + 1 };
  const described = connection.seed % 2 === 0 ? { provider: describeProvider(connection.provider) } : {};
  return { source, data: samples, ...old, ...described };
}

/** Returns the samples with the values of those that the provider corrected later. */
export function withCorrections(samples: DiscreteSample[], corrected: readonly DiscreteSample[]): DiscreteSample[] {
  const values = new Map(corrected.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
  if (values.size === 0) return samples;
  return samples.map((sample) => ({ ...sample, value: values.get(Date.parse(sample.timestamp)) ?? sample.value }));
}
