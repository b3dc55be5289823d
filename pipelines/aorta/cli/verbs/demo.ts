import { relative, resolve } from 'node:path';
import { visible } from '@aorta/runtime';
import { count, counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { placeInData } from '../../config/data-location.ts';
import { configurationSchema } from '../../config/schema.ts';
import { type DemoOutcome, type DemoRunOptions, loadAgain, loadFromService } from '../../demo/demo-run.ts';
import { type DemoOptions, folderState, noteFinished, prepareFolder } from '../../demo/folder.ts';
import { demoHubs } from '../../demo/hubs.ts';
import { pastDay, yesterdayOf } from '../../demo/period.ts';
import { lastWeek, wearerIn, weekQuery, weekTable } from '../../demo/week.ts';
import { loadSummary } from '../../report/load-report.ts';
import { standings } from '../../report/pulls/board.ts';
import { openReader, refuseWhereWritten } from '../../report/stored-data.ts';
import { workerName } from '../../run/parts.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type Call, callOf, commandLine } from '../printing/command-lines.ts';
import { progressOn } from '../printing/progress.ts';
import { printTable } from '../printing/query-result.ts';
import { styled, type Terminal } from '../printing/terminal.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { repositoryOnly } from './local-server.ts';
import { action, verb, wholeNumber } from './verb.ts';

interface DemoFlags extends Omit<DemoOptions, 'until'> {
  readonly until?: string;
  readonly folder: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Milliseconds between lines of progress if there is no terminal. */
const lineEvery = 3000;

export function demoCommand(surroundings: Surroundings): Command {
  const command = verb(
    'demo',
    'run the whole pipeline on this machine with synthetic people',
    "Starts the reference service with synthetic people, who wear watches and rings and carry phones. The service lets their last days pass in seconds. It sends its events to a local Event Hubs server, and some of them to a webhook as well. Aorta receives the events with the official client, fetches what they only announce, tracks the historical pulls, and loads everything through streams into DuckDB. All data stays in one folder on this machine. At the end, the command prints the tables, one person's week, and the state of the historical pulls. The same options always give the same tables.",
    ['aorta demo', 'aorta demo --people 100 --days 30', 'aorta demo --seed 7 --folder /tmp/aorta-demo'],
  )
    .option('--people <n>', 'number of people', wholeNumber('--people', 1, 10_000), 20)
    .option('--days <n>', 'number of days of data', wholeNumber('--days', 1, 366), 14)
    .option('--until <date>', 'last day of the data (default: yesterday)', (text) => pastDay(text))
    .option('--seed <n>', 'seed of the service; each seed gives different people', wholeNumber('--seed', 0), 11)
    .option('--folder <folder>', 'folder for all data', 'aorta-demo')
    .option('--dry-run', 'print what would be created, without creating it')
    .option('--json', 'print one JSON object with the counts instead of text');
  return action(command, (flags: DemoFlags) => demo(flags, surroundings));
}

const order = standings.map((standing, index) => `when '${standing}' then ${index}`).join(' ');

/** Query for the number of historical pulls by standing and reason, in the order of the board. */
const pullsQuery = `select standing, pulls, reason
from (select standing, reason, count(*) as pulls from historical_pull_board group by standing, reason)
order by case standing ${order} end, pulls desc, reason`;

async function demo(flags: DemoFlags, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, folder: from, stopRequest } = surroundings;
  await repositoryOnly('aorta demo', () => import('@aorta/event-hubs-server'));
  const { people, days, seed, until = yesterdayOf(Date.now()) } = flags;
  const made: DemoOptions = { people, days, seed, until };
  const folder = resolve(from, flags.folder);
  const place = placeInData(folder);
  const state = folderState(folder, made);
  if (flags.dryRun) {
    const what = `${counted(people, 'person', 'people')}, ${counted(days, 'day')} until ${until}`;
    const replaces = state === 'other' || state === 'unfinished';
    await terminal.out.write(
      flags.json
        ? `${JSON.stringify({ dry_run: true, ...made, folder, replaces, ...place })}\n`
        : `Would create ${what}, with a service, hubs, streams and tables in ${visible(folder)}${replaces ? ', replacing the demonstration there' : ''}. Nothing was done.\n`,
    );
    return exit.done;
  }
  refuseWhereWritten({ place });
  prepareFolder(folder, made);
  const began = performance.now();
  using stop = stopRequest();
  const { ended, report } = await take(
    { folder, place, made, worker: workerName(surroundings), signal: stop.signal },
    terminal,
    state === 'finished',
  );
  if (ended === 'stopped') {
    const what = state === 'finished' ? 'load the events again' : 'start over';
    await terminal.err.write(`Stopped. Run the same command again to ${what}.\n`);
    return stoppedBy(stop.cause ?? 'SIGINT');
  }
  noteFinished(folder, made);
  if (flags.json) {
    await terminal.out.write(`${JSON.stringify(report)}\n`);
    return exit.done;
  }
  const shown = relative(from, place.warehouse) || place.warehouse;
  const warehouse = `duckdb:${shown.startsWith('..') ? place.warehouse : shown}`;
  const call = callOf({ warehouse }, surroundings.environment);
  await terminal.out.write(loadSummary(report, performance.now() - began, call));
  await using reader = await openReader({ configuration: configurationSchema.parse({}), place });
  const week = lastWeek(made);
  const wearer = await wearerIn(reader, week);
  if (wearer !== undefined) {
    const { user, providers, timeZone } = wearer;
    const result = await reader.query(weekQuery({ user, ...week }, providers));
    await terminal.out.write(`\n${styled(terminal.out, 'bold', 'One person’s week')} (${providers.join(', ')}; ${timeZone})\n\n`);
    await terminal.out.write(await weekTable(result, providers));
  }
  await terminal.out.write(`\n${styled(terminal.out, 'bold', 'Historical pulls')}\n\n`);
  await printTable(terminal.out, await reader.query(pullsQuery));
  await terminal.out.write(nextSteps(call));
  return exit.done;
}

/** Loads the deliveries of the service, or loads them again, and reports the progress. */
async function take(
  { made, ...options }: Omit<DemoRunOptions, 'onProgress' | 'onSent'>,
  { err }: Terminal,
  isFinished: boolean,
): Promise<DemoOutcome> {
  using loading = progressOn(err, { label: 'Loading', unit: 'records', lineEvery });
  let total: number | undefined;
  const onProgress: DemoRunOptions['onProgress'] = ({ received }) => loading.advance({ done: received, total });
  const hubs = counted(demoHubs.length, 'hub');
  if (isFinished) {
    await err.write(`Loading the events of ${hubs} again …\n`);
    return await loadAgain({ ...options, onProgress });
  }
  const { people, days, until } = made;
  const who = counted(people, 'person', 'people');
  await err.write(`Starting a service with ${who} and ${counted(days, 'day')} of data until ${until}, ${hubs} and a webhook …\n`);
  return await loadFromService({
    ...options,
    made,
    onProgress,
    onSent: ({ events, webhooks }) => {
      total = events + webhooks;
      loading.end();
      const what = `${count(events)} events to the hubs and ${counted(webhooks, 'webhook')}`;
      void err.write(`The service has sent ${what}. Loading the last of them …\n`);
    },
  });
}

function nextSteps(call: Call): string {
  const lines = [
    'aorta query "select calendar_date, provider, count(*) as people, avg(steps)::int as steps from activity group by all order by all"',
    `aorta query "select local_date, round(avg(value), 1) as bpm from timeseries where resource = 'heartrate' group by all order by all"`,
    'aorta pulls --limit 20',
    'aorta status',
    'aorta status --completeness',
    'aorta tail --once',
    'aorta schema timeseries',
    'aorta --help',
  ];
  return `\nNext, try:\n\n${lines.map((line) => `  ${commandLine(line, call)}\n`).join('')}`;
}
