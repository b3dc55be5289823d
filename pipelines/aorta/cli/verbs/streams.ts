import type { StreamListing } from '@aorta/connectors';
import { GROUP } from '@aorta/loading/groups';
import { visible } from '@aorta/runtime';
import { count, duration } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { configuredStreams, type StreamsSetting, sourcesOf } from '../../config/adapters.ts';
import { readSetting, type Setting } from '../../config/configuration.ts';
import type { SourceStatus } from '../../report/source-status.ts';
import { readSourceStatus } from '../../report/worker-report.ts';
import { judgedReports } from '../../report/workers.ts';
import { problemLines, problemsIn } from '../../run/sources.ts';
import { exit } from '../exit.ts';
import type { Call } from '../printing/command-lines.ts';
import { table } from '../printing/table.ts';
import type { Surroundings } from '../surroundings.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb } from './verb.ts';

const right = { align: 'right' } as const;

interface StreamsFlags extends PlaceFlags {
  readonly sources?: true;
  readonly json?: true;
}

export function streamsCommand(surroundings: Surroundings): Command {
  const command = verb(
    'streams',
    'show records, positions and lag of the streams',
    'Lists the streams that hold records, with the number of appended records, segments and bytes, and the position of each group. A delivery that was appended twice counts twice here, but once in the table `deliveries`. A position is the ordinal of the next record. Lag is the number of records that a group has not read yet. The command also shows the time since the oldest of these records was received. For topics, the command lists every partition with its offsets, the offset that the loader has committed, and the worker that owns the partition. Then it lists the partitions of the sources, as a running process last reported them.',
    ['aorta streams', 'aorta streams --json', 'aorta streams --sources --json'],
  )
    .option('--sources', 'show only the sources and their partitions')
    .option('--json', 'print a JSON array with one object per stream (with topics, per partition; with --sources, per source)');
  return action(withPlace(command), async (flags: StreamsFlags) => {
    const { out } = surroundings.terminal;
    const { environment, folder } = surroundings;
    const now = Date.now();
    if (flags.sources) {
      // The reports of running processes are in the folder of the streams.
      const setting = readSetting(flags, environment, folder, { needs: ['streams.folder'] });
      const sources = await readSourceStatus(setting);
      if (flags.json) await out.write(`${JSON.stringify(sources, undefined, 2)}\n`);
      else if (sources.length === 0) await out.write(await nothingReadText(setting, now));
      else await out.write(sourcesText(sources, now, out.columns));
      return exit.done;
    }
    const setting = readSetting(flags, environment, folder, { needs: ['streams'] });
    const listing = await listStreams(setting, now);
    if (flags.json) await out.write(`${JSON.stringify(listing.facts, undefined, 2)}\n`);
    else
      await out.write(
        `${streamsText(listing, setting.call, out.columns)}${sourcesText(await readSourceStatus(setting), now, out.columns)}`,
      );
    return exit.done;
  });
}

async function listStreams(setting: StreamsSetting, now: number): Promise<StreamListing> {
  const { adapter, at } = configuredStreams(setting);
  return (await adapter.load()).list(at, { group: GROUP }, now);
}

function streamsText({ facts, losses, columns, rows }: StreamListing, call: Call, width: number | undefined): string {
  const problems = problemLines(problemsIn(losses, call)).map((line) => `${visible(line)}\n`);
  return `${facts.length === 0 ? 'The streams hold no records yet.\n' : table(columns, rows, width)}${problems.join('')}`;
}

/** Explains why no process has reported partitions yet. For example, a new process must first open its sources. */
async function nothingReadText(setting: Setting<never>, now: number): Promise<string> {
  const read = sourcesOf(setting).filter(({ adapter }) => adapter.partitioned);
  const names = [...read.map(({ settings }) => settings.name), ...setting.unread.flatMap(({ source }) => source ?? [])];
  const opening = (await judgedReports(setting, now)).filter(
    ({ report, state }) => report.parts.includes('ingestion') && state !== 'died' && state !== 'ended',
  );
  if (names.length === 0 || opening.length === 0) return 'No process here has reported partitions of a source.\n';
  return opening
    .map(({ report: { process, started_at } }) => {
      const since = duration(Math.max(0, now - Date.parse(started_at)));
      return `${visible(`Process ${process.pid} on ${process.host} started ${since} ago and has no partitions of ${names.join(', ')} yet.`)}\n`;
    })
    .join('');
}

const sourcesText = (sources: readonly SourceStatus[], now: number, width: number | undefined): string =>
  sources.map((source) => sourceText(source, now, width)).join('');

function sourceText({ source, as_of, pid, partitions }: SourceStatus, now: number, width: number | undefined): string {
  const rows = partitions.map(({ partition, position, end, lag, lag_s, state }) => [
    partition,
    count(position),
    count(end),
    count(lag),
    age(lag_s),
    state,
  ]);
  const ago = duration(Math.max(0, now - Date.parse(as_of)));
  const columns = [
    { name: 'partition' },
    { name: 'position', ...right },
    { name: 'end', ...right },
    { name: 'lag', ...right },
    { name: 'since', ...right },
    { name: 'state' },
  ];
  return `\nSource ${visible(source)}, as reported by process ${pid} (${ago} ago):\n${table(columns, rows, width)}`;
}

function age(seconds: number | null): string {
  return seconds === null ? 'unknown' : seconds === 0 ? '–' : duration(seconds * 1000);
}
