import { DuckDBInstance } from '@duckdb/node-api';

/**
 * Loads plain files with one handwritten SQL statement, which keeps the newest version of each sample or summary. The statement
 * validates nothing, writes no streams and cannot be run twice. `node by-hand.process.ts KIND DATABASE FILE…` prints the load
 * time and the number of rows.
 */
const [kind, database, ...files] = process.argv.slice(2);
const from = (body: string): string => `read_json(
  [${files.map((file) => `'${file}'`).join()}],
  format = 'newline_delimited',
  columns = { received_at: 'timestamptz', body: '${body}' }
)`;

const statements: Readonly<Record<string, string>> = {
  samples: `
    create table made as
    select user_id, provider, source_type, one."timestamp" as sampled_at, one.timezone_offset, one.unit, one."value", received_at
    from (
      select body.user_id, body.data.source.provider as provider, body.data.source.type as source_type, unnest(body.data."data") as one, received_at
      from ${from(`struct(user_id varchar, data struct(source struct(provider varchar, type varchar),
        data struct("timestamp" timestamptz, timezone_offset bigint, unit varchar, value double)[]))`)}
    )
    qualify row_number() over (partition by user_id, provider, source_type, sampled_at order by received_at desc) = 1`,
  summaries: `
    create table made as
    select user_id, client_user_id, team_id, event_type, day.*, received_at
    from (
      select body.user_id, body.client_user_id, body.team_id, body.event_type, body.data as day, received_at
      from ${from(`struct(user_id varchar, client_user_id varchar, team_id varchar, event_type varchar, data struct(
        id varchar, date timestamptz, calendar_date date, calories_total double, calories_active double, steps bigint,
        daily_movement double, distance double, low double, medium double, high double, floors_climbed bigint,
        time_zone varchar, timezone_offset bigint,
        heart_rate struct(avg_bpm double, min_bpm double, max_bpm double, resting_bpm double, avg_walking_bpm double),
        wheelchair_use boolean, wheelchair_push double, created_at timestamptz, updated_at timestamptz,
        source struct(provider varchar, type varchar, app_id varchar, device_id varchar, name varchar, slug varchar, logo varchar)))`)}
    )
    qualify row_number() over (partition by user_id, day.id order by day.updated_at desc, received_at desc) = 1`,
};

const instance = await DuckDBInstance.create(database!);
const connection = await instance.connect();
const begun = performance.now();
await connection.run(statements[kind!]!);
await connection.run('checkpoint');
const milliseconds = performance.now() - begun;
const reader = await connection.runAndReadAll('select count(*)::integer from made');
process.stdout.write(JSON.stringify({ milliseconds, rows: reader.getRows()[0]![0] }));
