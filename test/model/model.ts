import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AnyDelivery } from './delivery.ts';

/**
 * Computes the expected tables in plain code. The model imports nothing from the product, and has no batches, streams,
 * time windows or transactions. `model.test.ts` compares it with handwritten tables. Rows have the form in which
 * queries print them.
 */

export type Row = Record<string, unknown>;
export type Tables = Record<string, Row[]>;

interface ModelEvent {
  readonly event_type: string;
  readonly team_id?: string;
  readonly user_id: string;
  readonly client_user_id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the model reads what the tests wrote
  readonly data: any;
}

/** The revision of all readers of deliveries. */
const READER = 2;

const iso = (ms: number): string => isoOfMicros(ms * 1000);
const isoOfMicros = (us: number): string => {
  const fraction = us % 1_000_000;
  const seconds = new Date((us - fraction) / 1000).toISOString().slice(0, 19);
  return fraction === 0 ? `${seconds}Z` : `${seconds}.${String(fraction).padStart(6, '0')}Z`;
};
/** Returns microseconds since 1970. A `Date` is precise only to the millisecond. */
const microsOf = (text: string): number => {
  const finer = /\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '';
  return Date.parse(text) * 1000 + Number(finer.padEnd(3, '0'));
};
const when = (text: string | null | undefined): string | null => (text ? isoOfMicros(microsOf(text)) : null);
const day = (ms: number): string => {
  const date = new Date(ms).toISOString().slice(0, 10);
  return date < '2010-01-01' ? '2010-01-01' : date > '2036-12-31' ? '2036-12-31' : date;
};
const origin = (source: string, partition: number | string): bigint =>
  createHash('sha256').update(`${source}\0${partition}`).digest().readBigInt64BE(0);

/** Returns the deliveries of a partition in order of offset, with redeliveries marked. A repeated offset counts once. */
function classify(deliveries: readonly AnyDelivery[], window: number): { delivery: AnyDelivery; redelivered: boolean }[] {
  const log = [...new Map(deliveries.map((delivery) => [delivery.offset, delivery])).values()].sort(
    (a, b) => a.offset - b.offset,
  );
  const mark = ({ headers, body }: AnyDelivery): string =>
    JSON.stringify([headers['user-id'] ?? '', headers['event-type'] ?? '', headers['idempotency-key'], JSON.stringify(body)]);
  const last = new Map<string, number>();
  return log.map((delivery) => {
    const named = delivery.headers['idempotency-key'] !== undefined;
    const before = named ? last.get(mark(delivery)) : undefined;
    if (named) last.set(mark(delivery), delivery.offset);
    return { delivery, redelivered: before !== undefined && before >= delivery.offset - window };
  });
}

/** Whether version `a` is newer than version `b`. Both must have the same number of parts. */
function newer(a: readonly (number | bigint)[], b: readonly (number | bigint)[]): boolean {
  for (let index = 0; index < a.length; index++) {
    if (a[index]! > b[index]!) return true;
    if (a[index]! < b[index]!) return false;
  }
  return false;
}

export interface ModelOptions {
  /** Length of the redelivery window, in offsets. */
  readonly window: number;
}

const noSource = {
  source_sport: null,
  source_workout_id: null,
  source_name: null,
  source_logo: null,
};

const activityFields: Record<string, string> = {
  calories_total_kcal: 'calories_total',
  calories_active_kcal: 'calories_active',
  steps: 'steps',
  daily_movement_m: 'daily_movement',
  distance_m: 'distance',
  low_min: 'low',
  medium_min: 'medium',
  high_min: 'high',
  floors_climbed: 'floors_climbed',
  time_zone: 'time_zone',
  timezone_offset_s: 'timezone_offset',
  wheelchair_use: 'wheelchair_use',
  wheelchair_push: 'wheelchair_push',
};
/** Resources that can have several values at the same time, distinguished by the type of the sample. */
const keyedByType = [
  'cholesterol',
  'ige',
  'igg',
  'electrocardiogram_voltage',
  'insulin_injection',
  'stand_hour',
  'heart_rate_alert',
  'sleep_breathing_disturbance',
];
const members: Record<string, string[]> = {
  workout_duration: ['intensity'],
  insulin_injection: ['delivery_mode', 'delivery_form', 'bolus_purpose'],
};
const allMembers = ['sensor_location', 'intensity', 'delivery_mode', 'delivery_form', 'bolus_purpose'];
const heartRateFields = ['avg', 'min', 'max', 'resting', 'avg_walking'];

export function modelTables(deliveries: readonly AnyDelivery[], options: ModelOptions): Tables {
  const best = { activity: new Map(), timeseries: new Map(), blood_pressure: new Map(), notes: new Map() } as Record<
    string,
    Map<string, { version: (number | bigint)[]; row: Row }>
  >;
  const put = (table: string, key: unknown[], version: (number | bigint)[], row: Row): void => {
    const name = JSON.stringify(key);
    const held = best[table]!.get(name);
    if (held === undefined || newer(version, held.version)) best[table]!.set(name, { version, row });
  };
  const rows: Tables = { connection_events: [], historical_completions: [], deliveries: [] };

  const partitions = new Map<string, AnyDelivery[]>();
  for (const delivery of deliveries) {
    const name = `${delivery.source}\0${delivery.partition}`;
    partitions.set(name, [...(partitions.get(name) ?? []), delivery]);
  }
  for (const { delivery, redelivered } of [...partitions.values()].flatMap((log) => classify(log, options.window))) {
    const event = delivery.body as ModelEvent;
    const { data } = event;
    const type = event.event_type;
    const resource = type.split('.')[2]!;
    const at = [delivery.receivedAt, origin(delivery.source, delivery.partition), delivery.offset, READER];
    const facts = { _received_at: iso(delivery.receivedAt), _origin: at[1], _offset: delivery.offset, _reader: READER };
    const body = Buffer.from(JSON.stringify(delivery.body));
    const content = { _source: delivery.source, _body_bytes: body.length, _body_crc32: crc32(body) };
    const envelope = {
      event_type: type,
      team_id: event.team_id ?? null,
      user_id: event.user_id,
      client_user_id: event.client_user_id ?? null,
    };
    const provider = data?.source?.provider ?? data?.source?.slug ?? data?.provider?.slug ?? data?.provider;
    const source = {
      provider,
      source_type: data?.source?.type ?? 'unknown',
      ...noSource,
      source_app_id: data?.source?.app_id ?? null,
      source_device_id: data?.source?.device_id ?? null,
      source_name: data?.source?.name ?? null,
      source_logo: data?.source?.logo ?? null,
    };

    const entry: Row = {
      source: delivery.source,
      source_partition: String(delivery.partition),
      source_offset: delivery.offset,
      received_at: iso(delivery.receivedAt),
      event_type: type,
      delivery_id: delivery.headers['idempotency-key'] ?? null,
      team_id: null,
      user_id: null,
      client_user_id: null,
      provider: null,
      source_type: null,
      resource: null,
      samples: null,
      stream: 'redelivered',
      dead_letter_reason: null,
      redelivered,
      body_bytes: body.length,
      body_crc32: crc32(body),
      arrived_at: null,
      _reader: READER,
      _day: day(delivery.receivedAt),
    };
    rows.deliveries!.push(entry);
    if (redelivered) {
      Object.assign(entry, { team_id: delivery.headers['team-id'] ?? null, user_id: delivery.headers['user-id'] ?? null });
      continue;
    }
    Object.assign(entry, { team_id: envelope.team_id, user_id: envelope.user_id });
    const { client_user_id } = envelope;
    const { source_type } = source;

    if (type.startsWith('daily.data.activity.')) {
      if (data.id === undefined) {
        Object.assign(entry, { stream: 'dead_letters', dead_letter_reason: 'no_id' });
        continue;
      }
      Object.assign(entry, { stream: 'activity', client_user_id, provider, source_type });
      // A created event without `updated_at` is older than every other version.
      const untimed = type.endsWith('.created') ? 0 : delivery.receivedAt * 1000;
      const versionTime = data.updated_at === undefined ? untimed : microsOf(data.updated_at);
      put('activity', [data.id], [versionTime, ...at], {
        ...envelope,
        ...source,
        id: data.id,
        data_user_id: data.user_id ?? null,
        date_at: when(data.date),
        calendar_date: data.calendar_date ?? null,
        ...Object.fromEntries(Object.entries(activityFields).map(([column, member]) => [column, data[member] ?? null])),
        ...Object.fromEntries(
          heartRateFields.map((name) => [`heart_rate_${name}_bpm`, data.heart_rate?.[`${name}_bpm`] ?? null]),
        ),
        created_at: when(data.created_at),
        updated_at: when(data.updated_at),
        extra: null,
        _version_time: isoOfMicros(versionTime),
        ...facts,
      });
    } else if (
      /^daily\.data\.(heartrate|steps|glucose|hrv|blood_oxygen|respiratory_rate|weight|fat|insulin_injection|workout_duration|blood_pressure|note)\./.test(
        type,
      )
    ) {
      const table = { blood_pressure: 'blood_pressure', note: 'notes' }[resource] ?? 'timeseries';
      const workout = data.source.workout_id ?? '';
      const floating = provider === 'freestyle_libre';
      Object.assign(entry, { stream: table, client_user_id, provider, source_type, resource, samples: data.data.length });
      data.data.forEach((sample: Row, index: number) => {
        const start = Date.parse((sample.start ?? sample.timestamp) as string);
        const offset = floating ? null : ((sample.timezone_offset as number | null | undefined) ?? null);
        const values = {
          timeseries: {
            end_at: when(sample.end as string | undefined),
            value: sample.value ?? null,
            ...Object.fromEntries(
              allMembers.map((name) => [name, (members[resource]?.includes(name) ? sample[name] : null) ?? null]),
            ),
          },
          blood_pressure: {
            systolic_mmhg: sample.systolic ?? null,
            diastolic_mmhg: sample.diastolic ?? null,
            grouping: sample.grouping ? JSON.stringify(sample.grouping) : null,
          },
          notes: {
            end_at: when(sample.end as string | undefined),
            text: sample.value ?? null,
            tags: sample.tags ? JSON.stringify(sample.tags) : null,
          },
        }[table];
        const key = [
          event.user_id,
          resource,
          provider,
          source.source_type,
          start,
          keyedByType.includes(resource) ? (sample.type ?? '') : '',
          resource.startsWith('workout_') ? workout : '',
        ];
        put(table, key, [...at, index], {
          ...envelope,
          resource,
          ...source,
          source_workout_id: workout,
          time_basis: floating ? 'floating' : 'utc',
          data_user_id: data.user_id ?? null,
          start_at: iso(start),
          timezone_offset_s: offset,
          ...values,
          sample_type: sample.type ?? '',
          unit: sample.unit ?? null,
          data_source_id: data.source_id ?? null,
          legacy_provider: typeof data.provider === 'object' ? JSON.stringify(data.provider) : null,
          sample_id: null,
          sample_extra: null,
          extra: null,
          local_date: floating
            ? new Date(start).toISOString().slice(0, 10)
            : offset === null
              ? null
              : new Date(start + offset * 1000).toISOString().slice(0, 10),
          _day: day(start),
          ...facts,
        });
      });
    } else if (type.startsWith('provider.connection.')) {
      Object.assign(entry, { stream: 'connections', client_user_id, provider });
      rows.connection_events!.push({
        ...envelope,
        provider,
        provider_name: data.provider?.name ?? null,
        provider_logo: data.provider?.logo ?? null,
        data_user_id: data.user_id ?? null,
        resource_availability: data.resource_availability === undefined ? null : JSON.stringify(data.resource_availability),
        legacy_source: data.source === undefined ? null : JSON.stringify(data.source),
        message: data.message ?? null,
        error_type: data.error_type ?? null,
        error_details: data.error_details ?? null,
        ...facts,
        ...content,
      });
    } else if (type.startsWith('historical.data.')) {
      Object.assign(entry, { stream: 'historical_completions', client_user_id, provider, resource });
      rows.historical_completions!.push({
        ...envelope,
        resource,
        provider,
        data_user_id: data.user_id ?? null,
        range_start: when(data.start_date),
        range_end: when(data.end_date),
        is_final: data.is_final ?? null,
        extra: null,
        ...facts,
        ...content,
      });
    } else {
      Object.assign(entry, { stream: 'unrouted' });
    }
  }
  return {
    ...rows,
    ...Object.fromEntries(Object.entries(best).map(([table, held]) => [table, [...held.values()].map(({ row }) => row)])),
  };
}
