import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamName } from '@aorta/schemas';
import type { LocalLog } from '@aorta/streams';
import type { Command } from 'commander';
import { readSetting } from '../configuration/configuration.ts';
import { exit } from '../exit.ts';
import { bytes, count } from '../printing/quantity.ts';
import { table } from '../printing/table.ts';
import { lagOf, withStreams } from '../reading.ts';
import type { Surroundings } from '../surroundings.ts';
import { action, type PlaceFlags, verb, withPlace } from './verb.ts';

interface StreamFacts {
  readonly stream: StreamName;
  readonly records: number;
  readonly segments: number;
  readonly bytes: number;
  readonly groups: readonly { readonly group: string; readonly position: number; readonly lag: number }[];
  readonly lag: number;
}

export function streamsCommand(surroundings: Surroundings): Command {
  const command = verb(
    'streams',
    'the streams: records, segments, groups, lag',
    'The streams that hold records: how many, in how many segments and bytes, and how far each group has read. A position is the ordinal of the next record; lag is what a group has still to read.',
    ['aorta streams', 'aorta streams --json'],
  ).option('--json', 'a JSON array, one object per stream');
  return action(withPlace(command), async (flags: PlaceFlags & { readonly json?: true }) => {
    const { out } = surroundings.terminal;
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    const facts = await withStreams(setting, (streams) =>
      Promise.all(streams.streams().map((stream) => factsOfStream(streams, stream, setting.place.streams))),
    );
    await out.write(flags.json ? `${JSON.stringify(facts, undefined, 2)}\n` : text(facts, out.columns));
    return exit.done;
  });
}

async function factsOfStream(streams: LocalLog, stream: StreamName, folder: string): Promise<StreamFacts> {
  const records = streams.end(stream);
  const groups = streams.groups(stream).map((group) => {
    const position = streams.committed(group, stream) ?? 0;
    return { group, position, lag: records - position };
  });
  return { stream, records, ...(await sizeOf(join(folder, stream))), groups, lag: lagOf(streams, stream) };
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

function text(facts: readonly StreamFacts[], width: number | undefined): string {
  if (facts.length === 0) return 'The streams hold no records yet.\n';
  const rows = facts.map((one) => [
    one.stream,
    count(one.records),
    count(one.segments),
    bytes(one.bytes),
    one.groups.map(({ group, position }) => `${group} at ${count(position)}`).join(', ') || '–',
    count(one.lag),
  ]);
  const right = { align: 'right' } as const;
  return table(
    [
      { name: 'stream' },
      { name: 'records', ...right },
      { name: 'segments', ...right },
      { name: 'size', ...right },
      { name: 'groups' },
      { name: 'lag', ...right },
    ],
    rows,
    width,
  );
}
