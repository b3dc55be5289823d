import { join, relative, resolve } from 'node:path';
import { count, counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { type DataLocation, placeInData } from '../configuration/data-location.ts';
import { configurationSchema } from '../configuration/schema.ts';
import { type DemoOptions, folderState, hubsFolder, prepareFolder } from '../demo/folder.ts';
import { demoHubs } from '../demo/hubs.ts';
import { startService } from '../demo/service.ts';
import { takeFromHubs } from '../demo/taking.ts';
import { lastWeek, weekQuery, weekTable } from '../demo/week.ts';
import { type ExitCode, exit } from '../exit.ts';
import { loadSummary } from '../printing/load-summary.ts';
import { progressOn } from '../printing/progress.ts';
import { styled, type Terminal } from '../printing/terminal.ts';
import { openReader, refuseWhereWritten } from '../reading.ts';
import { stoppedBy } from '../stop-request.ts';
import { workerName } from '../supervision/worker-name.ts';
import type { Surroundings } from '../surroundings.ts';
import { repositoryOnly } from './repository-only.ts';
import { action, shellWord, verb } from './verb.ts';
import { wholeNumber } from './whole-number.ts';

interface DemoFlags extends DemoOptions {
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
    "Creates synthetic people with wearables and publishes their events to a local Event Hubs server, as the service would. Aorta receives the events with the official client and loads them through streams into DuckDB. All data stays in one folder on this machine. At the end, the command prints the tables and one person's week. The same options always give the same tables.",
    ['aorta demo', 'aorta demo --people 100 --days 30', 'aorta demo --seed 7 --folder /tmp/aorta-demo'],
  )
    .option('--people <n>', 'number of people', wholeNumber('--people', 1, 100_000), 20)
    .option('--days <n>', 'number of days of data', wholeNumber('--days', 1, 3660), 14)
    .option('--seed <n>', 'seed of the generator; each seed gives different people', wholeNumber('--seed', 0), 11)
    .option('--folder <folder>', 'folder for all data', 'aorta-demo')
    .option('--dry-run', 'print what would be created, without creating it')
    .option('--json', 'print one JSON object with the counts instead of text');
  return action(command, (flags: DemoFlags) => demo(flags, surroundings));
}

async function demo(flags: DemoFlags, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, folder: from, stopRequest } = surroundings;
  const { showcase } = await repositoryOnly('aorta demo', () => import('@aorta/people'));
  const { people, days, seed } = flags;
  const folder = resolve(from, flags.folder);
  const place = placeInData(folder);
  const say = (words: string) => terminal.err.write(`${words}\n`);
  const state = folderState(folder, { people, days, seed });
  if (flags.dryRun) {
    const what = `${counted(people, 'person', 'people')}, ${counted(days, 'day')}`;
    await terminal.out.write(
      flags.json
        ? `${JSON.stringify({ dry_run: true, people, days, seed, folder, replaces: state === 'other', ...place })}\n`
        : `Would create ${what}, with hubs, streams and tables in ${folder}${state === 'other' ? ', replacing the demonstration there' : ''}. Nothing was done.\n`,
    );
    return exit.done;
  }
  refuseWhereWritten({ place });
  prepareFolder(folder, { people, days, seed });
  const began = performance.now();
  using stop = stopRequest();
  const hubs = counted(demoHubs.length, 'hub');
  await say(
    `Creating ${counted(people, 'person', 'people')} with ${counted(days, 'day')} of data, and ${hubs} for their events …`,
  );
  const { ended, report } = await take(
    { people, days, seed, folder, place, worker: workerName(surroundings) },
    terminal,
    stop.signal,
  );
  if (ended === 'stopped') {
    await say('Stopped. Run aorta demo again to resume.');
    return stoppedBy(stop.cause ?? 'SIGINT');
  }
  if (flags.json) {
    await terminal.out.write(`${JSON.stringify(report)}\n`);
    return exit.done;
  }
  const one = showcase({ people, days, seed });
  const shown = relative(from, place.warehouse) || place.warehouse;
  const warehouse = `--warehouse duckdb:${shellWord(shown.startsWith('..') ? place.warehouse : shown)}`;
  await terminal.out.write(`${loadSummary(report, performance.now() - began, ` ${warehouse}`)}`);
  if (one.first_whole_day !== null && one.last_whole_day !== null) {
    const week = { user: one.user_id, ...lastWeek(one.first_whole_day, one.last_whole_day) };
    await using reader = await openReader({ configuration: configurationSchema.parse({}), place });
    await terminal.out.write(
      `\n${styled(terminal.out, 'bold', 'One person’s week')} (${one.providers.join(', ')}; ${one.time_zone})\n\n`,
    );
    await terminal.out.write(await weekTable(await reader.query(weekQuery(week))));
  }
  await terminal.out.write(nextSteps(warehouse));
  return exit.done;
}

interface Taking extends DemoOptions {
  readonly folder: string;
  readonly place: DataLocation;
  readonly worker: string;
}

/** Starts local hubs with the events of synthetic people, loads the events into the tables, and stops the hubs. */
async function take({ folder, place, worker, ...made }: Taking, { err }: Terminal, signal: AbortSignal) {
  using loading = progressOn(err, { label: 'Loading', unit: 'records', lineEvery });
  let total: number | undefined;
  await using service = await startService({ folder: join(folder, hubsFolder), ...made });
  const held = service.published.then(async (published) => {
    total = published.held;
    loading.end();
    const what = counted(published.deliveries, 'delivery', 'deliveries');
    await err.write(`${what} with ${count(published.samples)} samples published. Loading the last of them …\n`);
    return published.held;
  });
  // takeFromHubs() handles a rejection of `held` until it returns. Without this line, a later rejection would be unhandled.
  held.catch(() => {});
  return await takeFromHubs({
    place,
    connection: service.connection,
    checkpoints: join(folder, hubsFolder, 'checkpoints'),
    held,
    worker,
    signal,
    onProgress: ({ received }) => loading.advance({ done: received, total }),
  });
}

function nextSteps(warehouse: string): string {
  return [
    '',
    'Next, try:',
    '',
    `  npx aorta query "select provider, count(*) as days, avg(steps)::int as steps from activity group by all order by all" ${warehouse}`,
    `  npx aorta query "select local_date, round(avg(value), 1) as bpm from timeseries where resource = 'heartrate' group by all order by all" ${warehouse}`,
    `  npx aorta status ${warehouse}`,
    `  npx aorta tail --once ${warehouse}`,
    '  npx aorta schema timeseries',
    '  npx aorta --help',
    '',
  ].join('\n');
}
