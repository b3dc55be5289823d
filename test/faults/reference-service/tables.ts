import { join } from 'node:path';
import { DuckDBInstance, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Json } from '../../reference-service/control.ts';

/** The users' data: the service has it, and the tables must show it. Lists are sorted by their JSON. */
export interface Content {
  readonly summaries: readonly Json[];
  /** Number of the samples of each user and resource, and the sum of those that never changed. */
  readonly samples: readonly Json[];
  /** Number of points of each workout. */
  readonly workoutStreams: readonly Json[];
  readonly connections: readonly Json[];
  readonly pulls: readonly Json[];
}

const summaries: readonly (readonly [table: string, values: string])[] = [
  ['sleep', '[total_s, score, hr_average_bpm]'],
  ['activity', '[steps, calories_total_kcal, distance_m]'],
  ['workouts', '[calories_kcal, distance_m, moving_time_s]'],
  ['body', '[weight_kg, fat_pct]'],
  ['profile', '[height_cm]'],
];

const key = "user_id || ' ' || resource || ' ' || epoch_ms(start_at)";

const queries: Readonly<Record<keyof Content, string>> = {
  summaries: summaries
    .map(
      ([table, values]) =>
        `select '${table}' as resource, user_id as "user", id, ${values}::double[] as values, epoch_ms(updated_at)::double as updated_at from ${table}`,
    )
    .join(' union all '),
  samples: `select user_id as "user", resource, count(*)::double as count,
    round(sum(case when ${key} in (select unnest($changed)) then 0 else value end), 3) as sum from timeseries group by all`,
  workoutStreams: `select user_id as "user", workout_id as workout, len(points)::double as points from workout_streams`,
  connections: `select user_id as "user", provider, status from connections`,
  pulls: `select user_id as "user", provider, resource, state, days_with_data::double as days from historical_pull_board`,
};

/** Counts of received deliveries, of one source and event type. `kept` are those that are no redeliveries. */
interface Received {
  readonly source: string;
  readonly event_type: string;
  readonly rows: number;
  readonly kept: number;
  readonly ids: number;
}

const received = `select source, event_type, count(*)::double as rows, count(*) filter (not redelivered)::double as kept,
  count(distinct delivery_id)::double as ids from deliveries where source in ('webhook', 'event-hubs') group by all order by all`;

/** The tables after Aorta has ended. */
export interface Tables {
  readonly content: Content;
  readonly deliveries: readonly Received[];
  readonly webhookIds: readonly string[];
  /** Rows of `completeness` whose count differs from the service's. */
  readonly gaps: readonly Json[];
  readonly complete: number;
  /** Samples that changed, with the values that the tables show. */
  readonly changed: readonly { readonly key: string; readonly value: number }[];
  /** Samples that have the same key as another one. */
  readonly doubles: number;
  readonly deadLetters: number;
}

/** Reads the tables with the official client of DuckDB. `changed` are the keys of samples that changed. */
export async function readTables(folder: string, changed: readonly string[]): Promise<Tables> {
  const database = await DuckDBInstance.create(join(folder, 'health.duckdb'));
  const connection = await database.connect();
  const rows = async (sql: string): Promise<Json[]> => {
    const values = sql.includes('$changed') ? { changed: listValue([...changed]) } : {};
    return (await connection.runAndReadAll(sql, values, { changed: LIST(VARCHAR) })).getRowObjectsJson() as unknown as Json[];
  };
  const number = async (sql: string): Promise<number> => Number((await rows(`select (${sql})::double as n`))[0]!.n);
  try {
    const content: Record<string, readonly Json[]> = {};
    for (const [name, sql] of Object.entries(queries)) content[name] = sorted(await rows(sql));
    return {
      content: content as unknown as Content,
      deliveries: (await rows(received)) as unknown as Received[],
      webhookIds: (await rows(`select distinct delivery_id from deliveries where source = 'webhook' order by 1`)).map((row) =>
        String(row.delivery_id),
      ),
      changed: (await rows(
        `select ${key} as key, value from timeseries where key in (select unnest($changed))`,
      )) as unknown as Tables['changed'],
      gaps: await rows('select user_id, resource, sent, received, gap from completeness where gap <> 0 or sent <> received'),
      complete: await number('select count(*) from completeness where gap = 0'),
      doubles: await number(
        `select count(*) - count(distinct (user_id, resource, provider, source_type, start_at, sample_type)) from timeseries`,
      ),
      deadLetters: await number('select count(*) from deliveries where dead_letter_reason is not null'),
    };
  } finally {
    connection.disconnectSync();
    database.closeSync();
  }
}

export function sorted(rows: readonly Json[]): Json[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
