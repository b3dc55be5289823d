import type { Heard } from '../heard.ts';
import type { Owed } from './notices.ts';
import type { Tracker } from './tracker.ts';

/** How far partitions of the streams have been heard, by their names; of a stream that is one partition, by its own. */
export type Positions = Readonly<Record<string, Heard>>;

/** What a tracker was when it was last written down. */
export interface Remembered {
  readonly positions: Positions;
  readonly owed: Owed | undefined;
  readonly users: readonly (readonly [userId: string, gone: boolean, evidence: Buffer])[];
}

/** A list of all users that is gone through page by page. */
export interface Sweep {
  /** Milliseconds since 1970. */
  readonly began: number;
  /** Of the next page. */
  readonly cursor: string;
}

/** Where a tracker is written down. */
export interface PullsMemory {
  /** It stands for nothing but the streams as they are: those hold everything that was ever heard. */
  readonly ofTheseStreams: boolean;
  /** Undefined where there is nothing, or something of another version. */
  read(): Promise<Remembered | undefined>;
  /** Durably; `changed` are the users of whom more is known than the last time. */
  write(tracker: Tracker, changed: ReadonlySet<string>, positions: Positions, owed: Owed | undefined): Promise<void>;
  /** Fingerprints of the notices that were sent. */
  readSent(): Promise<readonly string[]>;
  writeSent(sent: readonly string[]): Promise<void>;
  /** The list of all users that was begun and not ended; undefined if there is none. */
  readSweep(): Promise<Sweep | undefined>;
  writeSweep(sweep: Sweep | undefined): Promise<void>;
  close(): Promise<void>;
}
