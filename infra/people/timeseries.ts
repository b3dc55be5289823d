import { instantText, type Spelling } from './calendar.ts';
import { type ProviderConnection, sampleSource } from './connection.ts';
import { type Random, randomOf } from './random.ts';

/** Maximum number of samples in one event. Changing it changes the generated heart rates. */
export const samplesPerEvent = 100;

/** The probability that the provider corrects a batch of heart rate or glucose samples. */
export const correctedShare = 0.02;

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

/** The format of the samples of one event: how instants are written. */
export interface Handwriting {
  /** formats an instant (ms), shifted to the local wall clock if the provider's clock is `floating` */
  instant: (ms: number) => string;
  /** returns the seconds east of UTC at an instant (ms), or null */
  offset: (ms: number) => number | null;
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
  };
}

/** Returns the `data` of a timeseries event. */
export function timeseriesData(connection: ProviderConnection, sourceType: string, samples: readonly object[]): object {
  return { source: sampleSource(connection, sourceType), data: samples };
}

/** Returns the samples with the values of those that the provider corrected later. */
export function withCorrections(samples: DiscreteSample[], corrected: readonly DiscreteSample[]): DiscreteSample[] {
  const values = new Map(corrected.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
  if (values.size === 0) return samples;
  return samples.map((sample) => ({ ...sample, value: values.get(Date.parse(sample.timestamp)) ?? sample.value }));
}
