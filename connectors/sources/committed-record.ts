import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { makeFolder, readJson, writeDurably } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { z } from 'zod';
import { type Finding, failure } from '../adapter.ts';
import type { ProbeSurroundings } from '../source.ts';
import { SourceError } from './errors.ts';

/** Maximum number of partitions that one finding names. */
const MOST_NAMED = 8;

/** The last record of a partition that a source has committed. */
export interface CommittedRecord {
  readonly offset: number;
  /** Id of the streams that contain the record; see {@link openStreamsId}. Undefined if unknown. */
  readonly streams: string | undefined;
}

/** A partition of a source, and the last record that the source has committed in it. */
export interface CommittedPartition extends CommittedRecord {
  /** Name of the partition in receipts. */
  readonly partition: string;
  /**
   * Returns the instruction with which an operator makes the source read the partition again from an offset. The text
   * completes a sentence.
   */
  rewind(from: number): string;
}

const idFile = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) });
const fileOf = (state: string): string => `${state}.streams.json`;

/** Returns the id of the streams beside a source's state; undefined if no source of this name has run there. */
async function streamsIdAt(state: string): Promise<string | undefined> {
  return idFile.safeParse(await readJson(fileOf(state))).data?.id;
}

/**
 * Returns the id of the streams beside a source's state, and creates it if necessary. A source stores the id with its commits,
 * because workers with streams of their own may share a consumer group. A copy of the streams has the same id, so a commit that is
 * newer than the copy shows that records are missing. Rejects with AORTA-DATA-UNWRITABLE.
 */
export async function openStreamsId(state: string): Promise<string> {
  const known = await streamsIdAt(state);
  if (known !== undefined) return known;
  const id = randomBytes(8).toString('hex');
  await makeFolder(dirname(state));
  await writeDurably(fileOf(state), { id });
  return id;
}

export interface ProbedGroup {
  readonly source: string;
  readonly group: string;
}

/** Checks that the streams contain the last record that a source has committed in each partition. Returns nothing if they do. */
export async function missingRecords(
  { source, group }: ProbedGroup,
  committed: readonly CommittedPartition[],
  { receipts, stateOf }: ProbeSurroundings,
): Promise<readonly Finding[]> {
  const check = `receipts ${source}`;
  const wanted = committed.map(({ partition, offset }) => ({ source, partition, offset }));
  const found = wanted.length === 0 ? undefined : await receipts?.(wanted);
  if (found === undefined) return [];
  const missing = committed.flatMap((one, index) => {
    const highest = found.highest[index];
    return highest !== undefined && highest >= one.offset ? [] : [{ ...one, highest }];
  });
  if (missing.length === 0) return [];
  if (!found.isComplete) {
    const unknown = `${missing.length} of ${counted(committed.length, 'partition')}`;
    return [
      {
        check,
        state: 'ok',
        found: `the last receipts of ${unknown} are not in the newest records`,
        remedy: 'To look in all records, run `aorta doctor --deep`. If a stream is damaged, repair it first.',
      },
    ];
  }
  const id = await streamsIdAt(stateOf(source));
  const lost = missing.filter(({ streams }) => streams !== undefined && streams === id);
  const elsewhere = missing.filter((one) => !lost.includes(one));
  const failures = lost.map(({ partition, offset, highest, rewind }) => {
    const facts = { source, group, partition, offset, highest: highest ?? 'none', rewind: rewind((highest ?? -1) + 1) };
    return failure(check, new SourceError('AORTA-RECEIPTS-LOST', facts));
  });
  if (elsewhere.length === 0) return failures;
  const named = elsewhere.slice(0, MOST_NAMED).map(({ partition, offset }) => `${partition} up to ${offset}`);
  const more = elsewhere.length - named.length;
  const partitions = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [...failures, failure(check, new SourceError('AORTA-RECEIPTS-ELSEWHERE', { source, group, partitions }), 'warn')];
}
