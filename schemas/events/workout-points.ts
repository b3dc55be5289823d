import { type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, keep, type Leftovers, planOfStream, readFields } from './fields.ts';
import { pathName } from './json-text.ts';
import { notFetched } from './read-result.ts';
import type { Reader } from './summary.ts';

type Point = StreamRecords['workout_streams']['points'][number];
type NumberField = Exclude<keyof Point, 'time_s' | 'point_at'>;

const plan = planOfStream('workout_streams', ['points'], ['stream']);
const reader = streamSchemas.workout_streams.aorta.revision;

/** Maps each numeric column that the service sends to a field of a point. */
const columns = {
  heartrate: 'heart_rate_bpm',
  cadence: 'cadence',
  altitude: 'altitude_m',
  velocity_smooth: 'speed_m_s',
  distance: 'distance_m',
  power: 'power_w',
  resistance: 'resistance',
  temperature: 'temperature_c',
  lat: 'latitude_deg',
  lng: 'longitude_deg',
} as const satisfies Record<string, NumberField>;

/** Plausible times of a point, in seconds since 1970. The service's own example has a time in 1975 among times in 2022. */
const BELIEVED_FROM = Date.UTC(2000, 0, 1) / 1000;
const BELIEVED_TO = Date.UTC(2100, 0, 1) / 1000;

const emptyPoint: Readonly<Point> = Object.freeze({
  time_s: null,
  point_at: null,
  heart_rate_bpm: null,
  cadence: null,
  altitude_m: null,
  speed_m_s: null,
  distance_m: null,
  power_w: null,
  resistance: null,
  temperature_c: null,
  latitude_deg: null,
  longitude_deg: null,
});

/**
 * Reads the points of a workout from parallel columns. The longest column determines the number of points. A value that
 * is not a number sets its field to null, and `extra` then keeps the whole column as sent.
 */
export const readWorkoutPoints: Reader<'workout_streams'> = (eventType, body, receipt) => {
  const refusal = notFetched(eventType);
  if (refusal !== undefined) return refusal;
  const envelope = readEnvelope(eventType, body);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const record: StreamRecords['workout_streams'] = {
    ...plan.empty,
    receipt,
    event,
    reader,
    workout_id: '',
    points: [],
    uneven: false,
    extra: null,
  };
  readFields(plan, data, record, { path: 'data', leftovers });
  if (record.workout_id === '') return { kind: 'refused', reason: 'no_id', place: 'data.workout_id' };
  const { stream } = data;
  if (!isObject(stream)) return { kind: 'refused', reason: 'no_data', place: 'data.stream' };
  const { points, uneven } = pointsOf(stream, leftovers);
  record.points = points;
  record.uneven = uneven;
  record.extra = extraText(leftovers);
  return { kind: 'record', record: record, refused: leftovers.refused };
};

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: runs for each record, so it is one pass without calls
function pointsOf(stream: Readonly<Record<string, unknown>>, leftovers: Leftovers): { points: Point[]; uneven: boolean } {
  const points: Point[] = [];
  const lengths = new Set<number>();
  for (const [name, column] of Object.entries(stream)) {
    if (column === null) continue;
    const field = name === 'time' ? 'time' : Object.hasOwn(columns, name) ? columns[name as keyof typeof columns] : undefined;
    if (field === undefined || !Array.isArray(column)) {
      if (keep(leftovers, `data.stream.${pathName(name)}`, column) && field !== undefined)
        leftovers.refused.push({ reason: 'value_does_not_fit', place: `data.stream.${name}` });
      continue;
    }
    if (column.length > 0) lengths.add(column.length);
    while (points.length < column.length) points.push({ ...emptyPoint });
    const fits = field === 'time' ? fillTimes(points, column) : fillNumbers(points, field, column);
    if (!fits && keep(leftovers, `data.stream.${name}`, column))
      leftovers.refused.push({ reason: 'value_does_not_fit', place: `data.stream.${name}` });
  }
  return { points, uneven: lengths.size > 1 };
}

/** Fills one field of all points from a column. Returns false if an element is neither a number nor null. */
function fillNumbers(points: Point[], field: NumberField, column: readonly unknown[]): boolean {
  let fits = true;
  for (const [index, value] of column.entries()) {
    if (typeof value === 'number' && Number.isFinite(value)) points[index]![field] = value;
    else if (value !== null) fits = false;
  }
  return fits;
}

function fillTimes(points: Point[], column: readonly unknown[]): boolean {
  let fits = true;
  for (const [index, value] of column.entries()) {
    if (Number.isSafeInteger(value) && Math.abs(value as number) < 2 ** 52) {
      const seconds = value as number;
      points[index]!.time_s = seconds;
      if (seconds >= BELIEVED_FROM && seconds < BELIEVED_TO) points[index]!.point_at = seconds * 1_000_000;
    } else if (value !== null) fits = false;
  }
  return fits;
}
