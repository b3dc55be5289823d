import type { StreamName } from '@aorta/schemas';
import { inUse } from '@aorta/streams';
import { isAortaError } from '@aorta/telemetry';
import type { CostReport } from '@aorta/warehouse';
import type { Command } from 'commander';
import { type Completeness, completenessIn, completenessQueries, erasuresDueIn } from '../completeness.ts';
import { readSetting, type Setting } from '../configuration/configuration.ts';
import { streamsPlace } from '../configuration/streams-place.ts';
import { warehousePlace } from '../configuration/warehouse-place.ts';
import { costsOf, costText, waitLines } from '../costs.ts';
import { exit } from '../exit.ts';
import { count, counted, duration } from '../printing/quantity.ts';
import { table } from '../printing/table.ts';
import { type Output, styled } from '../printing/terminal.ts';
import { behindOf, isUnpublished, openReader, type Reach, reachOf, type Writer, withStreams, writerOf } from '../reading.ts';
import { withRows } from '../report.ts';
import { type SourceOutage, sourceOutages } from '../source-status.ts';
import type { Surroundings } from '../surroundings.ts';
import { partitionsOf } from '../topics.ts';
import { action, type PlaceFlags, verb, withPlace } from './verb.ts';

interface Status {
  readonly warehouse: string;
  /** Null where the streams are topics. */
  readonly streams_folder: string | null;
  /** Null where nothing runs. */
  readonly writer: { readonly pid: number; readonly host: string } | null;
  readonly streams: readonly {
    readonly stream: StreamName;
    readonly records: number;
    readonly landed: number;
    readonly lag: number;
  }[];
  /** Null where nothing was published. */
  readonly published_at: string | null;
  /** Rows of the published tables, of those that have any; null where there is no warehouse. */
  readonly tables: Readonly<Record<string, number>> | null;
  /** Users whom the service has deleted more than seven days ago; null where there is no warehouse. */
  readonly erasures_due: number | null;
  /** What of the sources the running processes of this data folder cannot read now, and why. */
  readonly source_outages: readonly SourceOutage[];
  /** What a warehouse in BigQuery has waited for in the last hour; null where there is no such warehouse. */
  readonly waits: CostReport['waits'] | null;
}

/** Gaps that are printed; the others are counted. */
const MOST_GAPS = 25;
const MOST_GAPS_AS_JSON = 10_000;

interface StatusFlags extends PlaceFlags {
  readonly json?: true;
  readonly cost?: true;
  readonly completeness?: true;
}

export function statusCommand(surroundings: Surroundings): Command {
  const command = verb(
    'status',
    'where things stand',
    'Where the data stands: records of each stream and how many of them are in the tables, rows of the tables as they were published, and which process is writing.',
    [
      'aorta status',
      'aorta status --json --warehouse duckdb:health.duckdb',
      'aorta status --completeness',
      'aorta status --cost',
    ],
  )
    .option('--completeness', 'what the service says that it has sent, against what came, and what closes each gap')
    .option('--cost', 'what merges cost in the last days, and what was waited for in the last hour: of BigQuery')
    .option('--json', 'one JSON object');
  return action(withPlace(command), async (flags: StatusFlags) => {
    const { out } = surroundings.terminal;
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    if (flags.cost) {
      const report = await costsOf(setting);
      await out.write(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : costText(report, out));
      return exit.done;
    }
    if (flags.completeness) {
      const reader = await openReader(setting);
      try {
        const found = await completenessIn(reader, flags.json ? MOST_GAPS_AS_JSON : MOST_GAPS);
        await out.write(flags.json ? `${JSON.stringify(found, undefined, 2)}\n` : gapsText(found, out));
      } finally {
        await reader.close();
      }
      return exit.done;
    }
    const status = await statusOf(setting);
    await out.write(flags.json ? `${JSON.stringify(status, undefined, 2)}\n` : text(status, setting, out));
    return exit.done;
  });
}

async function statusOf(setting: Setting): Promise<Status> {
  const writer: Writer | undefined = writerOf(setting);
  const reach = await reachOf(setting);
  return {
    warehouse: setting.configuration.warehouse.type === 'duckdb' ? setting.place.warehouse : warehousePlace(setting),
    streams_folder: setting.configuration.streams.type === 'kafka' ? null : setting.place.streams,
    writer: writer?.running ? { pid: writer.pid, host: writer.host } : null,
    streams: await streamsOf(setting, reach),
    source_outages: await sourceOutages(setting),
    ...(await orNothing(isUnpublished, { published_at: null, tables: null, erasures_due: null, waits: null }, () =>
      tablesOf(setting),
    )),
  };
}

async function streamsOf(setting: Setting, reach: Reach): Promise<Status['streams']> {
  const { streams: kept } = setting.configuration;
  if (kept.type === 'kafka') {
    const all = await partitionsOf(kept);
    return [...new Set(all.map(({ stream }) => stream))].map((stream) => {
      const partitions = all.filter((one) => one.stream === stream);
      const records = partitions.reduce((sum, { start, end }) => sum + end - start, 0);
      const lag = partitions.reduce((sum, one) => sum + one.lag, 0);
      return { stream, records, landed: records - lag, lag };
    });
  }
  return orNothing(
    (error) => isAortaError(error) && error.code === 'AORTA-STREAMS-MISSING',
    [],
    () =>
      withStreams(setting, async (streams) =>
        inUse(streams).map((of) => {
          const [records, lag] = [streams.end(of) - streams.start(of), behindOf(streams, of, reach)];
          return { stream: of.stream, records, landed: records - lag, lag };
        }),
      ),
  );
}

async function tablesOf(setting: Setting): Promise<Pick<Status, 'published_at' | 'tables' | 'erasures_due' | 'waits'>> {
  const reader = await openReader(setting);
  try {
    const rows = await reader.rows();
    // Tables that an older version has published have no states of users yet.
    const erasuresDue = (rows.user_states ?? 0) > 0 ? await erasuresDueIn(reader) : 0;
    const waits = (await reader.costs?.(1))?.waits ?? null;
    return { published_at: reader.publishedAt ?? null, tables: withRows(rows), erasures_due: erasuresDue, waits };
  } finally {
    await reader.close();
  }
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
  const running =
    status.writer === null ? 'Nothing is running.' : `Process ${status.writer.pid} on ${status.writer.host} is writing.`;
  const lines = [
    `Warehouse  ${warehousePlace(setting)}`,
    `Streams    ${streamsPlace(setting)}`,
    running,
    ...outageLines(status),
    '',
  ];
  if (status.streams.length === 0) lines.push('The streams hold no records yet. Load something: aorta load FILE…', '');
  else
    lines.push(
      table(
        [{ name: 'stream' }, { name: 'records', ...right }, { name: 'landed', ...right }, { name: 'lag', ...right }],
        status.streams.map(({ stream, records, landed, lag }) => [stream, count(records), count(landed), count(lag)]),
        out.columns,
      ),
    );
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
      : `The tables are as published ${ago(status.published_at)} (${status.published_at}).`;
  const waits = waitLines(status.waits ?? []);
  if (waits.length > 0) lines.push(...waits, '');
  const due = status.erasures_due ?? 0;
  if (due > 0)
    lines.push(
      `The service has deleted ${counted(due, 'user')} for good, of whom something is kept here. Who they are:`,
      `  aorta query "${completenessQueries.whoIsDue}"`,
      '',
    );
  return `${lines.join('\n')}${styled(out, 'dim', published)}\n`;
}

function outageLines({ source_outages: outages }: Status): string[] {
  return outages.map(
    ({ source, of, reason, since }) =>
      `Source ${source}: ${of} has not been read for ${duration(Math.max(0, Date.now() - Date.parse(since)))}: ${reason}.`,
  );
}

function gapsText({ compared, not_compared: others, with_gaps, gaps }: Completeness, out: Output): string {
  if (compared + others === 0)
    return 'The service has not been asked yet what it has sent: `service` in the configuration, and aorta run.\n';
  const rest = others === 0 ? '' : ` ${counted(others, 'other')} cannot be counted, since no event names their provider.`;
  const summary = `${counted(with_gaps, 'gap')} in ${counted(compared, 'resource')} of users that the service has told of.${rest}\n`;
  if (gaps.length === 0) return summary;
  const right = { align: 'right' } as const;
  const rows = gaps.map((gap) => [
    gap.user_id,
    gap.provider,
    gap.resource,
    count(gap.sent),
    count(gap.received),
    count(gap.backfilled),
    count(gap.missing),
  ]);
  const columns = [
    { name: 'user' },
    { name: 'provider' },
    { name: 'resource' },
    { name: 'sent', ...right },
    { name: 'received', ...right },
    { name: 'backfilled', ...right },
    { name: 'missing', ...right },
  ];
  const commands = gaps.flatMap(({ backfill }) => (backfill === null ? [] : [backfill]));
  const closing = commands.length === 0 ? '' : `\nWhat closes them:\n${commands.map((one) => `  ${one}\n`).join('')}`;
  const more = with_gaps > gaps.length ? `The largest ${gaps.length} of them; --json has more.\n` : '';
  const tried = gaps.some(({ backfilled }) => backfilled > 0)
    ? `\nWhat is still missing after a backfill of all of it, the service has sent more than once, or has no more.\n`
    : '';
  return `${summary}\n${table(columns, rows, out.columns)}${more}${closing}${tried}`;
}

function ago(instant: string): string {
  return `${duration(Math.max(0, Date.now() - Date.parse(instant)))} ago`;
}
