import type { UserHistoricalPulls } from '@aorta/connectors/service';
import { type IntrospectionPoll, parseInstant, pathName } from '@aorta/schemas';
import type { HistoricalPullsSettings } from './options.ts';

/**
 * Times of an answer. `askedAt`: when Aorta requested the answer, in milliseconds since 1970. `servedAt`: the time that
 * the service reported in the answer, in microseconds since 1970.
 */
export interface Asked {
  readonly askedAt: number;
  readonly servedAt: number;
}

const HOUR_US = 3_600_000_000;

function envelope(
  userId: string,
  { askedAt, servedAt }: Asked,
  { stale_after_h, stalled_after_h }: HistoricalPullsSettings,
): Omit<IntrospectionPoll, 'gone' | 'pulls' | 'not_pulled'> {
  return {
    receipt: {
      source: 'introspection',
      partition: '',
      offset: askedAt,
      received_at: servedAt,
      delivery_id: null,
      header_facts: 0,
      body_bytes: 0,
      body_crc32: 0,
      arrived_at: null,
    },
    reader: 1,
    user_id: userId,
    stale_at: servedAt + Math.round(stale_after_h * HOUR_US),
    stalled_after_s: Math.round(stalled_after_h * 3600),
  };
}

/** Returns a record of the service's answer for a user. */
export function pollRecord(answer: UserHistoricalPulls, asked: Asked, settings: HistoricalPullsSettings): IntrospectionPoll {
  const providers = Object.entries(answer.provider);
  return {
    ...envelope(answer.user_id, asked, settings),
    gone: false,
    pulls: providers.flatMap(([provider, { pulled }]) =>
      Object.entries(pulled).map(([resource, pull]) => {
        const { status, range_start, range_end, timeline, days_with_data, release, trace_id, error_details, ...rest } = pull;
        const { scheduled_at, started_at, ended_at, ...moreTimes } = timeline;
        const own = { range_start, range_end };
        const ofTimeline = { scheduled_at, started_at, ended_at };
        const times = { ...own, ...ofTimeline };
        const read = Object.fromEntries(Object.entries(times).map(([name, text]) => [name, instantOf(text)])) as {
          [name in keyof typeof times]: number | null;
        };
        const extra = Object.fromEntries([
          ...Object.entries({ ...rest, ...illegible(own) }).map(([name, value]) => [pathName(name), value]),
          ...Object.entries({ ...moreTimes, ...illegible(ofTimeline) }).map(([name, value]) => [
            `timeline.${pathName(name)}`,
            value,
          ]),
        ]);
        const days = days_with_data !== null && Number.isSafeInteger(days_with_data) ? days_with_data : null;
        return {
          provider,
          resource,
          status: status ?? '',
          ...read,
          days_with_data: days,
          error_details,
          release,
          trace_id,
          extra: Object.keys(extra).length === 0 ? null : JSON.stringify(extra),
        };
      }),
    ),
    not_pulled: providers.flatMap(([provider, { not_pulled }]) => not_pulled.map((resource) => ({ provider, resource }))),
  };
}

/** Returns a record stating that the service no longer has the user. */
export function goneRecord(userId: string, asked: Asked, settings: HistoricalPullsSettings): IntrospectionPoll {
  return { ...envelope(userId, asked, settings), gone: true, pulls: [], not_pulled: [] };
}

const instantOf = (text: string | null): number | null => {
  const at = text === null ? Number.NaN : parseInstant(text);
  return Number.isNaN(at) ? null : at;
};

/** Returns the times that cannot be parsed. */
function illegible(times: Readonly<Record<string, string | null>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(times).filter(([, text]) => text !== null && instantOf(text) === null));
}
