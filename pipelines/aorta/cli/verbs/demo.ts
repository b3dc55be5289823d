import { relative, resolve } from 'node:path';
import { visible } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Command, Option } from 'commander';
import { placeInData } from '../../config/data-location.ts';
import { configurationSchema } from '../../config/schema.ts';
import { Demo, type DemoOutcome, freePort } from '../../demo/demo-run.ts';
import { type DemoPlan, type FolderState, folderState, prepareFolder } from '../../demo/folder.ts';
import { demoHubs } from '../../demo/hubs.ts';
import { pastDay, periodOf, yesterdayOf } from '../../demo/period.ts';
import { lastWeek, wearerIn, weekQuery, weekTable } from '../../demo/week.ts';
import { loadSummary } from '../../report/load-report.ts';
import { standings } from '../../report/pulls/board.ts';
import { openReader, refuseWhereWritten } from '../../report/stored-data.ts';
import { workerName } from '../../run/parts.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type Call, callOf, commandLine } from '../printing/command-lines.ts';
import { progressOn } from '../printing/progress.ts';
import { printTable } from '../printing/query-result.ts';
import { table } from '../printing/table.ts';
import { styled, type Terminal } from '../printing/terminal.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { repositoryOnly } from './local-server.ts';
import { action, verb, wholeNumber } from './verb.ts';

interface DemoFlags extends Omit<DemoPlan, 'until'> {
  readonly until?: string;
  readonly folder: string;
  readonly stay?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Milliseconds between lines of progress if there is no terminal. */
const lineEvery = 3000;

export function demoCommand(surroundings: Surroundings): Command {
  const command = verb(
    'demo',
    'run the whole pipeline on this machine with synthetic people',
    "Starts the reference service with synthetic people, who each have two devices and a phone. The service lets their last days pass in seconds. It sends its events to a local Event Hubs server, and some of them to a webhook as well. Aorta receives the events with the official client, fetches what they only announce, tracks the historical pulls, and loads everything through streams into DuckDB. All data stays in one folder on this machine. At the end, the command prints the tables, one person's week, the state of the historical pulls, and what is late. A later run with the same people continues where this one ended. The same options always give the same tables.",
    ['aorta demo', 'aorta demo --stay', 'aorta demo --people 100 --days 30', 'aorta demo --seed 7 --folder /tmp/aorta-demo'],
  )
    .option('--people <n>', 'number of people', wholeNumber('--people', 1, 10_000), 12)
    .option('--days <n>', 'number of days of data', wholeNumber('--days', 1, 366), 14)
    .option('--until <date>', 'last day of the data (default: yesterday)', (text) => pastDay(text))
    .option('--seed <n>', 'seed of the service; each seed gives different people', wholeNumber('--seed', 0), 11)
    .option('--folder <folder>', 'folder for all data', 'aorta-demo')
    .addOption(new Option('--stay', 'then continue in real time until Ctrl+C').conflicts(['until', 'json']))
    .option('--dry-run', 'print what would be created, without creating it')
    .option('--json', 'print one JSON object with the counts instead of text');
  return action(command, (flags: DemoFlags) => demo(flags, surroundings));
}

const order = standings.map((standing, index) => `when '${standing}' then ${index}`).join(' ');

/** Query for the number of historical pulls by standing and reason, in the order of the board. */
const pullsQuery = `select standing, pulls, reason
from (select standing, reason, count(*) as pulls from historical_pull_board group by standing, reason)
order by case standing ${order} end, pulls desc, reason`;

/**
 * Returns a query that shows how late the data of each provider arrives. `until` is the last day. A connection is silent if
 * it works, but sent no data on the last day.
 */
function latenessQuery(until: string): string {
  return `with heard as (
  select user_id, provider, max(received_at) as heard_at
  from deliveries where event_type like 'daily.data.%' group by all
), silence as (
  select
    l.provider, count(*) filter (l.status = 'connected') as connected, count(*) filter (l.status <> 'connected') as broken,
    count(*) filter (l.status = 'connected' and coalesce(h.heard_at, l.connected_at) < timestamp '${until}') as silent
  from connections l left join heard h using (user_id, provider) group by all
)
select
  provider, connected, broken, silent, round(median_min)::bigint as median_min, round(p90_min)::bigint as p90_min
from silence left join provider_latency using (provider) order by provider`;
}

async function demo(flags: DemoFlags, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, folder: from, stopRequest } = surroundings;
  await repositoryOnly('aorta demo', () => import('@aorta/event-hubs-server'));
  const { people, days, seed, until = yesterdayOf(Date.now()) } = flags;
  const plan: DemoPlan = { people, days, seed, until };
  const folder = resolve(from, flags.folder);
  const place = placeInData(folder);
  const state = folderState(folder, plan);
  if (flags.dryRun) {
    const what = `${counted(people, 'person', 'people')}, ${counted(days, 'day')} until ${until}`;
    const replaces = state.kind === 'other';
    await terminal.out.write(
      flags.json
        ? `${JSON.stringify({ dry_run: true, ...plan, folder, replaces, ...place })}\n`
        : `Would create ${what}, with a service, hubs, streams and tables in ${visible(folder)}${replaces ? ', replacing the demonstration there' : ''}. Nothing was done.\n`,
    );
    return exit.done;
  }
  refuseWhereWritten({ place });
  const first = prepareFolder(folder, plan);
  const began = performance.now();
  using stop = stopRequest();
  const end = flags.stay ? Date.now() : periodOf(plan).end;
  const course = { people, days, first };
  await terminal.err.write(beginning(plan, state));
  await using demo = await Demo.open({ folder, place, seed, course, end, worker: workerName(surroundings), signal: stop.signal });
  const { ended, report } = await load(demo, terminal);
  if (ended === 'stopped') {
    await terminal.err.write('Stopped. Run the same command again to continue.\n');
    return stoppedBy(stop.cause ?? 'SIGINT');
  }
  if (flags.json) {
    await terminal.out.write(`${JSON.stringify(report)}\n`);
    return exit.done;
  }
  const shown = relative(from, place.warehouse) || place.warehouse;
  const warehouse = `duckdb:${shown.startsWith('..') ? place.warehouse : shown}`;
  const call = callOf({ warehouse }, surroundings.environment);
  await terminal.out.write(loadSummary(report, performance.now() - began, call));
  await using reader = await openReader({ configuration: configurationSchema.parse({}), place });
  const week = lastWeek(plan);
  const wearer = await wearerIn(reader, week);
  if (wearer !== undefined) {
    await terminal.out.write(`\n${styled(terminal.out, 'bold', 'One person’s week')} (from person_days)\n\n`);
    await terminal.out.write(await weekTable(await reader.query(weekQuery(wearer, week))));
  }
  await terminal.out.write(`\n${styled(terminal.out, 'bold', 'Historical pulls')}\n\n`);
  await printTable(terminal.out, await reader.query(pullsQuery));
  await terminal.out.write(`\n${styled(terminal.out, 'bold', 'What is late')}\n\n`);
  await printTable(terminal.out, await reader.query(latenessQuery(until)));
  await terminal.out.write(nextSteps(call));
  await reader.close();
  if (!flags.stay) return exit.done;
  const port = await freePort();
  await demo.stay(port, () => terminal.out.write(addresses(demo, port, call)));
  return exit.done;
}

/** Lists the addresses and commands that show the demonstration while it continues. */
function addresses({ service }: Demo, port: number, call: Call): string {
  const rows = [
    ['page of the service', `${service.url}/docs`],
    ['API of the service', `${service.url} (x-service-api-key: ${service.key})`],
    ['control of the service', service.controlUrl],
    ['health of Aorta', `http://127.0.0.1:${port}/readyz`],
    ['metrics of Aorta', `http://127.0.0.1:${port}/metrics`],
  ];
  const commands = ['aorta tail', 'aorta status'].map((line) => `  ${commandLine(line, call)}\n`);
  return `\nThe demonstration continues in real time. Stop it with Ctrl+C.\n\n${table([{ name: 'what' }, { name: 'where' }], rows)}\nIn another terminal:\n\n${commands.join('')}`;
}

function beginning({ people, days, until }: DemoPlan, state: FolderState): string {
  const hubs = counted(demoHubs.length, 'hub');
  if (state.kind === 'ours') return `Continuing the demonstration until ${until}, with ${hubs} and a webhook …\n`;
  const who = counted(people, 'person', 'people');
  return `Starting a service with ${who} and ${counted(days, 'day')} of data until ${until}, ${hubs} and a webhook …\n`;
}

/** Loads what the service sends, and reports the progress. */
async function load(demo: Demo, { err }: Terminal): Promise<DemoOutcome> {
  using loading = progressOn(err, { label: 'Loading', unit: 'records', lineEvery });
  return await demo.run(
    ({ events, webhooks }) => {
      loading.end();
      const what = `${counted(events, 'event')} to the hubs and ${counted(webhooks, 'webhook')}`;
      void err.write(`The service has sent ${what}. Loading the last of them …\n`);
    },
    ({ received }) => loading.advance({ done: received, total: undefined }),
  );
}

function nextSteps(call: Call): string {
  const lines = [
    'aorta query "select calendar_date, provider, count(*) as people, avg(steps)::int as steps from activity group by all order by all"',
    `aorta query "select local_date, round(avg(value), 1) as bpm from timeseries where resource = 'heartrate' group by all order by all"`,
    'aorta pulls --limit 20',
    'aorta status',
    'aorta status --completeness',
    'aorta tail --once',
    'aorta schema --group days --rows',
    'aorta --help',
  ];
  return `\nNext, try:\n\n${lines.map((line) => `  ${commandLine(line, call)}\n`).join('')}`;
}
