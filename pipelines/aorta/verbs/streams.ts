import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamName } from '@aorta/schemas';
import { inUse, type LocalLog, type StreamPartition } from '@aorta/streams';
import type { Command } from 'commander';
import { readSetting, type Setting } from '../configuration/configuration.ts';
import { exit } from '../exit.ts';
import { bytes, count, duration } from '../printing/quantity.ts';
import { table } from '../printing/table.ts';
import { lagOf, lagSeconds, withStreams } from '../reading.ts';
import { readSourceStatus, type SourceStatus } from '../source-status.ts';
import type { Surroundings } from '../surroundings.ts';
import { type PartitionFacts, partitionsOf } from '../topics.ts';
import { judgedReports } from '../workers/look.ts';
import { action, type PlaceFlags, verb, withPlace } from './verb.ts';

const right = { align: 'right' } as const;

interface StreamFacts {
  readonly stream: StreamName;
  readonly records: number;
  readonly segments: number;
  readonly bytes: number;
  readonly groups: readonly GroupFacts[];
  readonly lag: number;
  /** Age of the oldest record that a group has still to read, in seconds since its receipt; 0 where none waits, null where it cannot be read. */
  readonly lag_s: number | null;
}

interface GroupFacts {
  readonly group: string;
  readonly position: number;
  readonly lag: number;
  readonly lag_s: number | null;
}

interface StreamsFlags extends PlaceFlags {
  readonly sources?: true;
  readonly json?: true;
}

export function streamsCommand(surroundings: Surroundings): Command {
  const command = verb(
    'streams',
    'the streams: records, segments, groups, lag',
    'The streams that hold records: how many, in how many segments and bytes, and how far each group has read. A position is the ordinal of the next record; lag is what a group has still to read, and the time since the oldest of that was received. Where they are topics: every partition with its offsets, how far the jobs have committed, and which worker has it. Below that, for sources that have partitions, where a running process last was with them.',
    ['aorta streams', 'aorta streams --json', 'aorta streams --sources --json'],
  )
    .option('--sources', 'only the sources and their partitions')
    .option('--json', 'a JSON array, one object per stream (on Kafka, per partition; with --sources, per source)');
  return action(withPlace(command), async (flags: StreamsFlags) => {
    const { out } = surroundings.terminal;
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    const now = Date.now();
    const { streams: kept } = setting.configuration;
    if (kept.type === 'kafka' && !flags.sources) {
      const partitions = await partitionsOf(kept);
      if (flags.json) {
        await out.write(`${JSON.stringify(partitions, undefined, 2)}\n`);
        return exit.done;
      }
      await out.write(partitionsText(partitions, out.columns));
      for (const source of await readSourceStatus(setting)) await out.write(sourceText(source, now, out.columns));
      return exit.done;
    }
    const streams = flags.sources
      ? []
      : await withStreams(setting, (log) =>
          Promise.all(inUse(log).map((of) => factsOfStream(log, of, setting.place.streams, now))),
        );
    if (flags.json) {
      const data = flags.sources ? await readSourceStatus(setting) : streams;
      await out.write(`${JSON.stringify(data, undefined, 2)}\n`);
      return exit.done;
    }
    const sources = await readSourceStatus(setting);
    if (!flags.sources) await out.write(streamsText(streams, out.columns));
    if (flags.sources && sources.length === 0) await out.write(await nothingReadText(setting, now));
    for (const source of sources) await out.write(sourceText(source, now, out.columns));
    return exit.done;
  });
}

async function factsOfStream(streams: LocalLog, of: StreamPartition, folder: string, now: number): Promise<StreamFacts> {
  const { stream } = of;
  const end = streams.end(of);
  const groups: GroupFacts[] = [];
  for (const group of streams.groups(of)) {
    const position = streams.committed(group, of) ?? 0;
    groups.push({ group, position, lag: end - position, lag_s: await lagSeconds(streams, of, position, now) });
  }
  const lag = lagOf(streams, of);
  const lagS = await lagSeconds(streams, of, end - lag, now);
  return { stream, records: end - streams.start(of), ...(await sizeOf(join(folder, stream))), groups, lag, lag_s: lagS };
}

/** The stream's segments, which are its Avro files. A file that goes away meanwhile does not count. */
async function sizeOf(folder: string): Promise<{ segments: number; bytes: number }> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.avro'));
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return { segments: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function streamsText(facts: readonly StreamFacts[], width: number | undefined): string {
  if (facts.length === 0) return 'The streams hold no records yet.\n';
  const rows = facts.map((one) => [
    one.stream,
    count(one.records),
    count(one.segments),
    bytes(one.bytes),
    one.groups.map(({ group, position }) => `${group} at ${count(position)}`).join(', ') || '–',
    count(one.lag),
    age(one.lag_s),
  ]);
  return table(
    [
      { name: 'stream' },
      { name: 'records', ...right },
      { name: 'segments', ...right },
      { name: 'size', ...right },
      { name: 'groups' },
      { name: 'lag', ...right },
      { name: 'since', ...right },
    ],
    rows,
    width,
  );
}

function partitionsText(partitions: readonly PartitionFacts[], width: number | undefined): string {
  if (partitions.length === 0) return 'The streams hold no records yet.\n';
  const rows = partitions.map(({ stream, partition, start, end, position, lag, worker }) => [
    stream,
    String(partition),
    count(start),
    count(end),
    position === null ? '–' : count(position),
    count(lag),
    worker ?? '–',
  ]);
  return table(
    [
      { name: 'stream' },
      { name: 'partition', ...right },
      { name: 'start', ...right },
      { name: 'end', ...right },
      { name: 'position', ...right },
      { name: 'lag', ...right },
      { name: 'worker' },
    ],
    rows,
    width,
  );
}

/** Why there is nothing to tell of partitions: a process that has just begun has to open its sources first. */
async function nothingReadText(setting: Setting, now: number): Promise<string> {
  const names = setting.configuration.sources.filter(({ type }) => type !== 'files').map(({ name }) => name);
  const opening = (await judgedReports(setting, now)).filter(
    ({ report, state }) => report.parts.includes('ingestion') && state !== 'died' && state !== 'ended',
  );
  if (names.length === 0 || opening.length === 0) return 'No source with partitions was read here.\n';
  return opening
    .map(({ report: { process, started_at } }) => {
      const since = duration(Math.max(0, now - Date.parse(started_at)));
      return `Process ${process.pid} on ${process.host} began ${since} ago, and has no partitions of ${names.join(', ')} yet.\n`;
    })
    .join('');
}

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
  return `\nSource ${source}, as process ${pid} saw it ${ago} ago:\n${table(columns, rows, width)}`;
}

/** How long something has waited, for people. */
function age(seconds: number | null): string {
  return seconds === null ? 'unknown' : seconds === 0 ? '–' : duration(seconds * 1000);
}
