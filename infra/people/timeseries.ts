import { instantText, type Spelling } from './calendar.ts';
import type { Connection } from './connection.ts';
import { type Random, randomOf } from './random.ts';
import { describeProvider, sourceObject } from './source.ts';

/** A sample with one instant, as the event spells it. */
export interface DiscreteSample {
  timestamp: string;
  timezone_offset: number | null;
  type: string | null;
  unit: string;
  value: number;
}

/** A sample over an interval, its end not included. */
export interface IntervalSample {
  start: string;
  end: string;
  timestamp?: string;
  timezone_offset: number | null;
  type: string | null;
  unit: string;
  value: number;
}

/** How the samples of one event are written: one spelling of instants, one form of an absent type. */
export interface Handwriting {
  /** an instant (ms), shifted to the wall clock where the provider floats */
  instant: (ms: number) => string;
  /** seconds east of UTC, or null */
  offset: (ms: number) => number | null;
  absentType: string | null;
}

/** Mostly `+00:00` without a fraction; now and then `Z` or digits that say nothing. */
function spellingOf(connection: Connection, random: Random): Spelling {
  const draw = random.uniform();
  if (connection.provider.irregular) return draw < 0.75 ? 'offset-millis' : draw < 0.9 ? 'offset-micros' : 'z-millis';
  return draw < 0.84 ? 'offset' : draw < 0.94 ? 'z' : draw < 0.98 ? 'offset-micros' : 'offset-millis';
}

/** The handwriting of the event that the words name; a sample sent again in another event may be spelled another way. */
export function handwriting(connection: Connection, ...words: number[]): Handwriting {
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

/** `data` of a timeseries event: `{source, data: [...]}`; the oldest generation adds `user_id`, `source_id` and sometimes `provider`. */
export function timeseriesData(connection: Connection, sourceType: string, samples: readonly object[]): object {
  const source = sourceObject(connection, sourceType, false);
  if (connection.generation !== 'old') return { source, data: samples };
  const old = { user_id: connection.person.userId, source_id: connection.provider.number + 1 };
  const described = connection.seed % 2 === 0 ? { provider: describeProvider(connection.provider) } : {};
  return { source, data: samples, ...old, ...described };
}
