import type { CommittedRecord } from '../../sources/committed-record.ts';

/** The metadata of a commit, which is stored with the next offset to read. */
export interface CommitNote {
  /** The group's first offset in the partition. The next owner of the partition needs it. */
  readonly first: number;
  /**
   * The last record of the partition that became a delivery; undefined if there is none yet. The committed offset may be
   * higher, because transaction markers and compacted records have offsets but no delivery.
   */
  readonly last?: CommittedRecord | undefined;
}

const NOTE = /^aorta first=([0-9]{1,15})(?: last=([0-9]{1,15}) streams=([0-9a-f]{1,32}))?$/;

export function writeNote({ first, last }: CommitNote): string {
  return `aorta first=${first}${last?.streams === undefined ? '' : ` last=${last.offset} streams=${last.streams}`}`;
}

/** Parses the metadata of a commit. Returns undefined if the cluster lost it, or if another tool set the offset. */
export function readNote(note: string | undefined): CommitNote | undefined {
  const [, first, last, streams] = NOTE.exec(note ?? '') ?? [];
  if (first === undefined) return undefined;
  return { first: Number(first), last: last === undefined ? undefined : { offset: Number(last), streams } };
}
