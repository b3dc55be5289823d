import { text } from 'node:stream/consumers';
import { counted } from '@aorta/runtime/quantity';
import { type Command, Option } from 'commander';
import { readSetting } from '../../config/configuration.ts';
import { ProgramError } from '../../errors.ts';
import { openReader, staleness } from '../../report/stored-data.ts';
import { exit } from '../exit.ts';
import { printCsv, printJson, printTable } from '../printing/query-result.ts';
import { styled } from '../printing/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb } from './verb.ts';

interface QueryFlags extends PlaceFlags {
  readonly json?: true;
  readonly csv?: true;
}

export function queryCommand(surroundings: Surroundings): Command {
  const command = verb(
    'query <sql>',
    'run read-only SQL on the tables',
    'Runs one SELECT on the tables, even while another process is writing to them. With DuckDB, it reads the most recently published copy.\n`-` reads the statement from standard input. The command prints NULL as ∅ in a table, as null in JSON and as an empty field in CSV. Integers and decimals have all their digits, also in JSON, where they are numbers. A spreadsheet can run a CSV cell that begins with =, +, - or @ as a formula, so import the columns as text.',
    [
      'aorta query "select count(*) from activity"',
      'aorta query "select calendar_date, steps from activity order by 1" --json',
      'aorta query - --csv --warehouse duckdb:health.duckdb < report.sql > report.csv',
    ],
  )
    .addOption(new Option('--json', 'print a JSON array with one object per row').conflicts('csv'))
    .addOption(new Option('--csv', 'print CSV (RFC 4180) with a header line'));
  return action(withPlace(command), async (flags: QueryFlags, given: string) => {
    const { terminal } = surroundings;
    const sql = await statement(surroundings, given);
    const { environment, folder } = surroundings;
    const setting = readSetting(flags, environment, folder, { needs: ['warehouse', 'streams.folder'] });
    await using reader = await openReader(setting);
    const stale = await staleness(setting, reader);
    if (stale !== undefined) await terminal.err.write(`${styled(terminal.err, 'dim', stale)}\n`);
    const result = await reader.query(sql);
    if (flags.json) await printJson(terminal.out, result);
    else if (flags.csv) await printCsv(terminal.out, result);
    else {
      const rows = await printTable(terminal.out, result);
      if (terminal.out.isTerminal) await terminal.err.write(`${styled(terminal.err, 'dim', counted(rows, 'row'))}\n`);
    }
    return exit.done;
  });
}

async function statement({ input }: Surroundings, given: string): Promise<string> {
  const sql = given === '-' ? await text(input) : given;
  if (sql.trim() !== '') return sql;
  throw new ProgramError('AORTA-USAGE', {
    problem: given === '-' ? 'standard input contains no statement' : 'the statement is empty',
    hint: 'Write one SELECT in quotes, for example `aorta query "select count(*) from activity"`.',
  });
}
