import { instant, offsetOf, timeZoneSchema } from '../api/times.ts';
import type { Json, Source } from './arrival.ts';
import { type Position, positionOf, type SampleQuery, type StoredSample } from './sample-store.ts';
import type { StoredSummary, SummaryStore } from './summary-store.ts';

/** A sleep cycle has the local date of its start, and its stages begin at most this long before and after that date (UTC). */
const NEAR_MS = 3 * 86_400_000;

/** The members of a sleep cycle that a hypnogram needs. */
interface Cycle {
  readonly id: string;
  readonly sleep_id: string;
  readonly session_start: string;
  readonly stage_start_offset_second: readonly number[];
  readonly stage_end_offset_second: readonly number[];
  readonly stage_type: readonly number[];
  readonly time_zone?: string | null;
}

/** The stages of sleep as samples. They are not stored: the sleep cycles have the same stages as lists. */
export class Hypnograms {
  readonly #summaries: SummaryStore;

  constructor(summaries: SummaryStore) {
    this.#summaries = summaries;
  }

  /** Returns stages in the order of their start. */
  page({ user, from, to, provider, after, limit }: Omit<SampleQuery, 'resource'>): StoredSample[] {
    return this.#cycles(user, { from: from - NEAR_MS, to: to + NEAR_MS, provider })
      .flatMap((cycle) => stagesOf(cycle).filter(({ sampled_at }) => sampled_at >= from && sampled_at <= to))
      .filter((stage) => after === undefined || compare(positionOf(stage), after) > 0)
      .sort((a, b) => compare(positionOf(a), positionOf(b)))
      .slice(0, limit);
  }

  /** Returns the stages of one sleep, whose session begins at `start` (milliseconds since 1970). */
  ofSleep(user: string, sleep: string, start: number): Json[] {
    return this.#cycles(user, { from: start - NEAR_MS, to: start + NEAR_MS })
      .filter(({ body }) => (JSON.parse(body) as Cycle).sleep_id === sleep)
      .flatMap(stagesOf)
      .map(({ body }) => body);
  }

  #cycles(user: string, range: { readonly from: number; readonly to: number; readonly provider?: string | undefined }) {
    return this.#summaries.range({ user, resource: 'sleep_cycle', ...range });
  }
}

function stagesOf({ body, source }: StoredSummary): StoredSample[] {
  const { id, session_start, stage_type, time_zone, ...cycle } = JSON.parse(body) as Cycle;
  const { provider, type } = JSON.parse(source) as Source;
  const zone = timeZoneSchema.safeParse(time_zone);
  const begin = Date.parse(session_start);
  return stage_type.map((value, index) => {
    const start = begin + cycle.stage_start_offset_second[index]! * 1000;
    const end = begin + cycle.stage_end_offset_second[index]! * 1000;
    const sample = {
      timestamp: instant(start),
      start: instant(start),
      end: instant(end),
      timezone_offset: zone.success ? offsetOf(zone.data, start) : null,
      type: null,
      unit: 'stage',
      value,
    };
    return { sampled_at: start, provider, source_type: type, variant: id, body: sample, source };
  });
}

function compare(a: Position, b: Position): number {
  const different = a.findIndex((part, index) => part !== b[index]);
  if (different === -1) return 0;
  return a[different]! < b[different]! ? -1 : 1;
}
