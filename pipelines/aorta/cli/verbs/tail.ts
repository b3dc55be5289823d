import { inUse, partitionName, type StreamPartition } from '@aorta/connectors';
import { pause, visible } from '@aorta/runtime';
import { counted, instant } from '@aorta/runtime/quantity';
import { type StreamName, streamNames } from '@aorta/schemas';
import type { Command } from 'commander';
import { configuredStreams } from '../../config/adapters.ts';
import { readSetting } from '../../config/configuration.ts';
import { nearestName } from '../../config/nearest-name.ts';
import { ProgramError } from '../../errors.ts';
import { factsOf, type ReadableStreams, type RecordFacts, recordsOf } from '../../report/records.ts';
import { exit } from '../exit.ts';
import type { Surroundings } from '../surroundings.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb, wholeNumber } from './verb.ts';

interface TailFlags extends PlaceFlags {
  readonly json?: true;
  readonly once?: true;
  readonly n: number;
}

/** Milliseconds between two polls of the streams. */
const restMs = 500;

interface Line extends RecordFacts {
  readonly stream: StreamName;
}

export function tailCommand(surroundings: Surroundings): Command {
  const command = verb(
    'tail [stream]',
    'print new events without their values',
    'Prints events as they reach the streams: time of receipt, position (SOURCE/PARTITION/OFFSET), event type, number of samples, and stream. It prints no values and no user ids. It starts with the most recent events and continues until stopped.',
    ['aorta tail', 'aorta tail timeseries -n 50', 'aorta tail --once --json'],
  )
    .option('-n <n>', 'start with this many of the most recent events', wholeNumber('-n', 0, 100_000), 10)
    .option('--once', 'print only these events, then exit')
    .option('--json', 'print one JSON object per line');
  return action(withPlace(command), async (flags: TailFlags, stream?: string) => {
    const { out } = surroundings.terminal;
    const chosen = checkStream(stream);
    const setting = readSetting(flags, surroundings.environment, surroundings.folder, { needs: ['streams'] });
    const print = (lines: readonly Line[]) =>
      out.write(lines.map((line) => (flags.json ? jsonLine(line) : textLine(line))).join(''));
    /** Maps the name of each partition to the position after its last printed record. */
    const ends = new Map<string, number>();

    // Start to listen for a stop request before the first line is printed. The user may stop the command as soon as the
    // line appears.
    using stop = flags.once ? undefined : surroundings.stopRequest({ quiet: true });
    const { adapter, at } = configuredStreams(setting);
    const { openView } = await adapter.load();
    await using view = await openView(at, { streams: chosen === undefined ? undefined : [chosen], last: flags.n });
    await print(await lastOf(view, chosenOf(view, chosen), flags.n));
    for (const of of inUse(view)) ends.set(partitionName(of), view.end(of));
    if (stop === undefined) return exit.done;
    while (!stop.signal.aborted) {
      await pause(restMs, stop.signal);
      await view.look();
      await print(await newOnes(view, chosenOf(view, chosen), ends));
    }
    // Without `--once`, only a signal ends the command.
    return stop.cause === 'SIGTERM' ? exit.terminated : exit.interrupted;
  });
}

function checkStream(name: string | undefined): StreamName | undefined {
  if (name === undefined) return undefined;
  const stream = streamNames.find((one) => one === name);
  if (stream !== undefined) return stream;
  const meant = nearestName(name, streamNames);
  throw new ProgramError('AORTA-USAGE', {
    problem: `there is no stream ${name}`,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}The streams are ${streamNames.join(', ')}.`,
  });
}

/** Returns the partitions that contain records, either of the chosen stream or of all streams. */
function chosenOf(streams: ReadableStreams, chosen: StreamName | undefined): readonly StreamPartition[] {
  return inUse(streams).filter(({ stream }) => chosen === undefined || stream === chosen);
}

/** Reads the last events of these partitions, sorted by time of receipt. */
async function lastOf(streams: ReadableStreams, partitions: readonly StreamPartition[], limit: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const of of partitions) {
    const from = Math.max(streams.start(of), streams.end(of) - limit);
    for await (const record of recordsOf(streams, of, from)) lines.push({ ...factsOf(record), stream: of.stream });
  }
  return limit === 0 ? [] : ordered(lines).slice(-limit);
}

/** Reads the events that were appended since the last call, and advances `ends` past them. */
async function newOnes(
  streams: ReadableStreams,
  partitions: readonly StreamPartition[],
  ends: Map<string, number>,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (const of of partitions) {
    const end = streams.end(of);
    const from = ends.get(partitionName(of)) ?? streams.start(of);
    ends.set(partitionName(of), end);
    // If the stream was deleted and recreated, read it from its start.
    for await (const record of recordsOf(streams, of, from <= end ? from : streams.start(of), end))
      lines.push({ ...factsOf(record), stream: of.stream });
  }
  return ordered(lines);
}

function ordered(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => a.received_at - b.received_at);
}

function textLine(line: Line): string {
  const samples = line.samples === null ? '' : counted(line.samples, 'sample');
  return `${visible([instant(line.received_at), line.position, line.event_type ?? '–', samples, line.reason === null ? `→ ${line.stream}` : `→ ${line.stream} (${line.reason})`].filter((part) => part !== '').join('  '))}\n`;
}

function jsonLine({ received_at, position, event_type, samples, stream, reason }: Line): string {
  return `${JSON.stringify({ received_at: instant(received_at), position, event_type, samples, stream, reason: reason ?? undefined })}\n`;
}
