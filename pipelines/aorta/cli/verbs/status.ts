import type { CopyDifference, CostReport, LoadedStream, StreamLogState, WorkingGroups } from '@aorta/connectors';
import { MERGES } from '@aorta/loading/groups';
import { visible } from '@aorta/runtime';
import { count, counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { configuredStreams, configuredWarehouse, loadedRecords, streamsPlace } from '../../config/adapters.ts';
import type { Setting as ReadSetting } from '../../config/configuration.ts';
import { type Waiting, type WaitingInTables, waitingOf } from '../../report/backlog.ts';
import { completenessIn, completenessQueries, erasuresDueIn, gapsText } from '../../report/completeness.ts';
import { costsOf, costText, waitLines } from '../../report/costs.ts';
import { withRows } from '../../report/load-report.ts';
import { outageLines, type SourceOutage } from '../../report/source-status.ts';
import { copyText, isUnpublished, openReader, reachOf, type Writer, writerOf } from '../../report/stored-data.ts';
import { sourceOutages } from '../../report/worker-report.ts';
import {
  type GroupPart,
  isRunning,
  judgedReports,
  type SourceMembers,
  sourceMembers,
  type Worker,
  workersOf,
} from '../../report/workers.ts';
import { ago, unansweredLines, waitingText, workersText } from '../../report/workers-text.ts';
import { enrichmentGroups } from '../../run/enrichment.ts';
import { INGESTION } from '../../run/ingestion-group.ts';
import { type Problem, problemLines, problemsIn, type SourceProblem, sourceProblems } from '../../run/sources.ts';
import { exit } from '../exit.ts';
import { commandLine, withCommandLines } from '../printing/command-lines.ts';
import { table } from '../printing/table.ts';
import { type Output, styled } from '../printing/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { type PlaceFlags, settingFor, withPlace } from './setting.ts';
import { action, verb } from './verb.ts';

interface Status {
  readonly warehouse: string;
  /** Null if the streams are stored in Kafka topics. */
  readonly streams_folder: string | null;
  /** The process that holds the lock on the streams folder, if any. A process that only loads from topics takes no lock. */
  readonly writer: { readonly pid: number; readonly host: string } | null;
  /**
   * Processes of this data folder that are running, have died, or have ended with an error. The list also includes
   * processes that are known only from Kafka brokers.
   */
  readonly workers: readonly Worker[];
  /** Sources whose cluster did not report the members of its consumer group, or whose variables are not set. */
  readonly unanswered: SourceMembers['unanswered'];
  /** Batches that are waiting to be landed, merged or published; null if nothing has ever been landed. */
  readonly waiting: Waiting | null;
  readonly streams: readonly LoadedStream[];
  /** Null if nothing has been published yet, or if the status was read from the warehouse itself. */
  readonly published_at: string | null;
  /** How the published copy differs from what Aorta published; null if it does not. */
  readonly copy_difference: CopyDifference | null;
  /** Number of rows in each published table, excluding empty tables; null if there are no tables yet. */
  readonly tables: Readonly<Record<string, number>> | null;
  /**
   * Number of users whom the service deleted more than seven days ago, but whose data is still stored. Null if there are
   * no tables yet.
   */
  readonly erasures_due: number | null;
  /** Current outages of sources, as reported by the running processes that use this data folder. */
  readonly source_outages: readonly SourceOutage[];
  /** Lasting problems with parts of sources, such as files that have grown since they were read. */
  readonly source_problems: readonly SourceProblem[];
  /** One problem for each loss of records. It disappears when the operator deletes the kept damaged file. */
  readonly lost_records: readonly Problem[];
  /** Reasons why Aorta waited for BigQuery in the last hour, and how long it waited; null for other warehouses. */
  readonly waits: CostReport['waits'] | null;
}

/** Maximum number of gaps to print. Further gaps are only counted. */
const MOST_GAPS = 25;
const MOST_GAPS_AS_JSON = 10_000;

interface StatusFlags extends PlaceFlags {
  readonly json?: true;
  readonly cost?: true;
  readonly completeness?: true;
}

type Setting = ReadSetting<'streams' | 'warehouse'>;

export function statusCommand(surroundings: Surroundings): Command {
  const command = verb(
    'status',
    'show streams, tables and workers',
    'Shows how many records each stream holds and how many of them are in the tables. Shows the number of rows in each published table, and the landed rows that wait for a merge, with the time when the merge is due. Lists every process that works with this data folder: its parts, what it reads, whether it is ready, and what it waits for. With topics, it also lists the workers on other machines that the brokers report.',
    [
      'aorta status',
      'aorta status --json --warehouse duckdb:health.duckdb',
      'aorta status --completeness',
      'aorta status --cost',
    ],
  )
    .option(
      '--completeness',
      'compare what the service has sent with what has arrived, and print the commands that close the gaps',
    )
    .option('--cost', 'show what merges cost in BigQuery over the last seven days, and what they waited for in the last hour')
    .option('--json', 'print one JSON object');
  return action(withPlace(command), async (flags: StatusFlags) => {
    const { out } = surroundings.terminal;
    if (flags.cost) {
      const report = await costsOf(await settingFor(flags, surroundings, { needs: ['warehouse'] }));
      await out.write(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : costText(report, out));
      return exit.done;
    }
    if (flags.completeness) {
      const setting = await settingFor(flags, surroundings, { needs: ['warehouse'] });
      await using reader = await openReader(setting);
      const found = await completenessIn(reader, flags.json ? MOST_GAPS_AS_JSON : MOST_GAPS, setting.call);
      await out.write(flags.json ? `${JSON.stringify(found, undefined, 2)}\n` : gapsText(found, out, setting.call));
      return exit.done;
    }
    const setting = await settingFor(flags, surroundings, { needs: ['streams', 'warehouse'] });
    const status = await statusOf(setting).catch(async (error: unknown) => {
      // Even if the warehouse or the brokers are down, print the processes of this data folder and what they are waiting for.
      if (!flags.json) await out.write(await workersHere(setting, out));
      throw error;
    });
    await out.write(flags.json ? `${JSON.stringify(status, undefined, 2)}\n` : text(status, setting, out));
    return exit.done;
  });
}

async function statusOf(setting: Setting): Promise<Status> {
  const now = Date.now();
  const { adapter, settings } = configuredWarehouse(setting);
  const at = adapter.describe(settings);
  const { adapter: streamLog, at: ofStreams } = configuredStreams(setting);
  const placeOfStreams = streamLog.describe(ofStreams.settings, ofStreams.folder);
  const writer: Writer | undefined = writerOf(setting);
  const [reports, streams, readers] = await Promise.all([
    judgedReports(setting, now),
    streamsOf(setting),
    sourceMembers(setting),
  ]);
  const nothing = { published_at: null, copy_difference: null, tables: null, erasures_due: null, waits: null, landed: undefined };
  const { landed, ...tables } = await orNothing(isUnpublished, nothing, () => tablesOf(setting));
  return {
    warehouse: at.status ?? at.text,
    streams_folder: placeOfStreams.folder,
    writer: writer?.running ? { pid: writer.pid, host: writer.host } : null,
    workers: workersOf(reports, [...streams.members, ...readers.members], ({ error }) => error !== null),
    unanswered: readers.unanswered,
    streams: streams.streams,
    source_outages: await sourceOutages(setting),
    source_problems: await sourceProblems(setting),
    lost_records: problemsIn(streams.losses, setting.call),
    waiting: waitingOf(reports, landed, now),
    ...tables,
  };
}

/** Formats a table of the processes of this data folder from their reports. Returns an empty string if there are none. */
async function workersHere(setting: Setting, out: Output): Promise<string> {
  const now = Date.now();
  const workers = workersOf(await judgedReports(setting, now), [], ({ error }) => error !== null);
  return workers.length === 0 ? '' : `${workersText(workers, now, out.columns)}\n`;
}

const groups: WorkingGroups<GroupPart> = {
  loading: 'loading',
  others: [
    { group: INGESTION, part: 'ingestion' },
    { group: MERGES, part: 'merging' },
    ...enrichmentGroups.map((group) => ({ group, part: 'enrichment' as const })),
  ],
};

async function streamsOf(setting: Setting): Promise<StreamLogState<GroupPart>> {
  const { adapter, at } = configuredStreams(setting);
  return (await adapter.load()).state(
    at,
    loadedRecords(() => reachOf(setting)),
    groups,
  );
}

type InTables = Pick<Status, 'published_at' | 'copy_difference' | 'tables' | 'erasures_due' | 'waits'> & {
  readonly landed: WaitingInTables | undefined;
};

async function tablesOf(setting: Setting): Promise<InTables> {
  await using reader = await openReader(setting);
  const rows = await reader.rows();
  const erasuresDue = (rows.user_states ?? 0) > 0 ? await erasuresDueIn(reader) : 0;
  const waits = (await reader.costs?.(1))?.waits ?? null;
  const landed = { merges: await reader.waitingMerges(), publishedAt: reader.publishedAt };
  return {
    published_at: reader.publishedAt ?? null,
    copy_difference: (await reader.copyDifference?.(false)) ?? null,
    tables: withRows(rows),
    erasures_due: erasuresDue,
    waits,
    landed,
  };
}

async function orNothing<T>(isNothing: (error: unknown) => boolean, nothing: T, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (isNothing(error)) return nothing;
    throw error;
  }
}

function text(status: Status, setting: Setting, out: Output): string {
  const right = { align: 'right' } as const;
  const now = Date.now();
  const { writer, workers } = status;
  const { adapter, settings } = configuredWarehouse(setting);
  const places = [`Warehouse  ${adapter.describe(settings).text}`, `Streams    ${streamsPlace(setting)}`];
  const lines = [...places.map(visible), ''];
  lines.push(workersText(workers, now, out.columns));
  // A process that has just started holds the lock, but may not have written a report yet.
  if (writer !== null && !workers.some(({ pid, host }) => pid === writer.pid && host === writer.host))
    lines.push(`Process ${writer.pid} on ${visible(writer.host)} holds the lock of the streams.`, '');
  const sources = [
    ...outageLines(status.source_outages, now),
    ...problemLines([...status.source_problems, ...status.lost_records]),
  ];
  if (sources.length > 0) lines.push(...sources.map(visible), '');
  for (const line of unansweredLines(status.unanswered, setting)) lines.push(visible(line), '');
  // If the streams are topics, the committed offsets show how many records have been landed. If the streams are local,
  // the tables show how many records have been merged.
  const reached = status.streams_folder === null ? 'landed' : 'in tables';
  if (status.streams.length === 0)
    lines.push(`The streams hold no records yet. To load files, run: ${commandLine('aorta load FILE…', setting.call)}`, '');
  else
    lines.push(
      table(
        [{ name: 'stream' }, { name: 'records', ...right }, { name: reached, ...right }, { name: 'lag', ...right }],
        status.streams.map(({ stream, records, landed, lag }) => [stream, count(records), count(landed), count(lag)]),
        out.columns,
      ),
    );
  const loads = workers.some((worker) => isRunning(worker) && worker.parts.includes('loading'));
  lines.push(...waitingText(status.waiting, loads, now, out.columns).map((line) => withCommandLines(line, setting.call)));
  if (status.tables === null) return `${lines.join('\n')}There are no tables yet.\n`;
  lines.push(
    table(
      [{ name: 'table' }, { name: 'rows', ...right }],
      Object.entries(status.tables).map(([name, rows]) => [name, count(rows)]),
      out.columns,
    ),
  );
  const published =
    status.published_at === null
      ? 'The tables are read from the warehouse itself.'
      : `The tables were published ${ago(status.published_at, now)} ago (${status.published_at}).`;
  const waits = waitLines(status.waits ?? []);
  if (waits.length > 0) lines.push(...waits.map(visible), '');
  const due = status.erasures_due ?? 0;
  if (due > 0)
    lines.push(
      `The service has permanently deleted ${counted(due, 'user')} whose data is still stored here. To list them, run:`,
      `  ${commandLine(`aorta query "${completenessQueries.whoIsDue}"`, setting.call)}`,
      ...(adapter.afterErasure === undefined ? [] : [adapter.afterErasure]),
      '',
    );
  const changed = copyText(status.copy_difference ?? undefined);
  if (changed !== undefined) lines.push(withCommandLines(changed, setting.call), '');
  return `${lines.join('\n')}${styled(out, 'dim', published)}\n`;
}
