import { DuckDBInstance } from '@duckdb/node-api';

/**
 * What a person would write without us: one statement that reads the plain files into a table of samples, newest receipt
 * of a sample first, with nothing checked, kept or repeatable. `node by-hand.process.ts DATABASE FILE…` says what it took.
 */
const [database, ...files] = process.argv.slice(2);
const instance = await DuckDBInstance.create(database!);
const connection = await instance.connect();
const begun = performance.now();
await connection.run(`
  create table timeseries as
  select user_id, provider, source_type, one."timestamp" as sampled_at, one.timezone_offset, one.unit, one."value", received_at
  from (
    select body.user_id, body.data.source.provider as provider, body.data.source.type as source_type, unnest(body.data."data") as one, received_at
    from read_json(
      [${files.map((file) => `'${file}'`).join()}],
      format = 'newline_delimited',
      columns = {
        received_at: 'timestamptz',
        body: 'struct(user_id varchar, data struct(source struct(provider varchar, type varchar),
          data struct("timestamp" timestamptz, timezone_offset bigint, unit varchar, value double)[]))'
      }
    )
  )
  qualify row_number() over (partition by user_id, provider, source_type, sampled_at order by received_at desc) = 1
`);
await connection.run('checkpoint');
const milliseconds = performance.now() - begun;
const reader = await connection.runAndReadAll('select count(*)::integer from timeseries');
process.stdout.write(JSON.stringify({ milliseconds, rows: reader.getRows()[0]![0] }));
