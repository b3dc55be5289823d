import { join } from 'node:path';
import type { ReadPosition } from '@aorta/connectors/streams';
import { readIfThere, replaceFile } from '@aorta/runtime';
import { changesTo } from '../state/document.ts';
import type { Entries, StatePart } from '../state/durable-state.ts';
import type { Owed } from './notices.ts';
import type { Tracker } from './tracker.ts';

/** Read positions by partition. For a stream with a single partition, the key is only the stream name. */
export type Positions = Readonly<Record<string, ReadPosition>>;

/** State of a tracker, as read back after a restart. */
export interface SavedPulls {
  readonly positions: Positions;
  readonly owed: Owed | undefined;
  readonly users: readonly (readonly [userId: string, gone: boolean, evidence: Buffer])[];
}

/** State of a tracker that is about to be saved. */
export interface Snapshot extends Omit<SavedPulls, 'users'> {
  readonly tracker: Pick<Tracker, 'snapshot' | 'user'>;
  /** Users with new evidence since the last save. */
  readonly changed: ReadonlySet<string>;
}

/** An unfinished sweep through the list of all users. */
export interface SavedSweep {
  /** Start time of the sweep, in milliseconds since 1970. */
  readonly began: number;
  /** Cursor of the next page. */
  readonly cursor: string;
}

const USER = 'user/';
const POSITION = 'position/';
const OWED = 'owed/';
const SENT = 'sent/';
const SWEEP = 'sweep';

const begins = (prefix: string, entries: Entries): Map<string, string> =>
  new Map([...entries].filter(([name]) => name.startsWith(prefix)));

/**
 * Evidence, read positions and unsent notices. In a topic, each user's evidence is one entry. Positions are written
 * after the users, so that evidence is read again if a save is incomplete. In a file, each user is one line. The first
 * line contains the positions and notices.
 */
export const snapshotPart: StatePart<Snapshot, SavedPulls> = {
  empty: { positions: {}, owed: undefined, users: [] },
  inFile: { name: 'tracker.ndjson', text: linesOf, read: readLines },
  inTopic: {
    owns: (name) => [USER, POSITION, OWED].some((prefix) => name.startsWith(prefix)),
    compares: (name) => !name.startsWith(USER),
    changes: ({ tracker, changed, positions, owed }, kept) => {
      const users = [...changed].map((userId): [string, string | null] => {
        const known = tracker.user(userId);
        const text = known === undefined ? null : JSON.stringify([known[0], known[1].toString('base64')]);
        return [`${USER}${userId}`, text];
      });
      const wanted = Object.entries(positions).map(
        ([name, position]) => [`${POSITION}${name}`, JSON.stringify(position)] as const,
      );
      const notices = (owed ?? []).map(([pull, planned]) => [`${OWED}${pull}`, JSON.stringify(planned)] as const);
      return [
        ...users,
        ...changesTo(new Map(notices), begins(OWED, kept)),
        ...changesTo(new Map(wanted), begins(POSITION, kept)),
      ];
    },
    read: readEntries,
  },
};

/**
 * Fingerprints of sent notices. If a fingerprint is unreadable, the notice is sent again, so each notice is sent at least
 * once.
 */
export const sentPart: StatePart<readonly string[]> = {
  empty: [],
  inFile: {
    name: 'notices-sent.json',
    text: (sent) => [JSON.stringify(sent)],
    read: (text) => jsonIn(text) as readonly string[] | undefined,
  },
  inTopic: {
    owns: (name) => name.startsWith(SENT),
    read: (entries) => [...entries.keys()].map((name) => name.slice(SENT.length)),
    changes: (sent, kept) => changesTo(new Map(sent.map((one) => [`${SENT}${one}`, '1'])), kept),
  },
};

/** The unfinished sweep; undefined if there is none. */
export const sweepPart: StatePart<SavedSweep | undefined> = {
  empty: undefined,
  inFile: { name: 'sweep.json', text: (sweep) => [JSON.stringify(sweep ?? null)], read: readSweep },
  inTopic: {
    owns: (name) => name === SWEEP,
    read: (entries) => readSweep(entries.get(SWEEP) ?? ''),
    changes: (sweep) => [[SWEEP, sweep === undefined ? null : JSON.stringify(sweep)]],
  },
};

/** Returns the saved sweep; undefined if there is none or it is unreadable. A new sweep then starts. */
function readSweep(text: string): SavedSweep | undefined {
  const { began, cursor } = (jsonIn(text) ?? {}) as Partial<SavedSweep>;
  return typeof began === 'number' && typeof cursor === 'string' ? { began, cursor } : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readEntries(entries: Entries): SavedPulls {
  const users: (readonly [string, boolean, Buffer])[] = [];
  const positions: Record<string, ReadPosition> = {};
  const owed: Owed[number][] = [];
  for (const [name, text] of entries) {
    try {
      const content: unknown = JSON.parse(text);
      if (name.startsWith(USER)) {
        const [gone, evidence] = content as [boolean, string];
        users.push([name.slice(USER.length), gone, Buffer.from(evidence, 'base64')]);
      } else if (name.startsWith(POSITION)) positions[name.slice(POSITION.length)] = content as ReadPosition;
      else owed.push([name.slice(OWED.length), content as Owed[number][1]]);
    } catch {
      // A different version of Aorta wrote this entry. Skip it.
    }
  }
  return { positions, owed: owed.length === 0 ? undefined : owed, users };
}

/** Increase this number if tracks must be derived again. The tracker then reads the streams from their start. */
const FORMAT = 2;
/** Number of lines that are written at a time. */
const LINES = 1_000;

/** First line of the state file. */
interface Head {
  readonly format: number;
  readonly positions: Positions;
  readonly owed: Owed | null;
}

function* linesOf({ tracker, positions, owed }: Snapshot): Generator<string> {
  const head: Head = { format: FORMAT, positions, owed: owed ?? null };
  yield `${JSON.stringify(head)}\n`;
  let lines: string[] = [];
  for (const [userId, gone, evidence] of tracker.snapshot()) {
    lines.push(`${JSON.stringify([userId, gone, evidence.toString('base64')])}\n`);
    if (lines.length < LINES) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}

function readLines(text: string): SavedPulls | undefined {
  try {
    const [first, ...lines] = text.trimEnd().split('\n');
    const head = JSON.parse(first!) as Head;
    if (head.format !== FORMAT) return undefined;
    const users = lines.map((line) => {
      const [userId, gone, evidence] = JSON.parse(line) as [string, boolean, string];
      return [userId, gone, Buffer.from(evidence, 'base64')] as const;
    });
    return { positions: head.positions, owed: head.owed ?? undefined, users };
  } catch {
    return undefined;
  }
}

/** Removes a user from the tracker's state files. Returns whether they contained the user. No tracker may be running. */
export async function forgetPullsOf(folder: string, userId: string): Promise<boolean> {
  const content = (await readIfThere(join(folder, snapshotPart.inFile.name)))?.toString('utf8');
  if (content === undefined) return false;
  let kept: string[];
  try {
    const [first, ...lines] = content.trimEnd().split('\n');
    const head = JSON.parse(first!) as Head;
    const owed = head.owed?.filter(([pull]) => (JSON.parse(pull) as readonly string[])[0] !== userId) ?? null;
    const others = lines.filter((line) => (JSON.parse(line) as readonly unknown[])[0] !== userId);
    if (others.length === lines.length && owed?.length === head.owed?.length) return false;
    kept = [JSON.stringify({ ...head, owed }), ...others];
  } catch {
    // Unreadable content is discarded. The next run rebuilds the state from the streams.
    kept = [];
  }
  await replaceFile(join(folder, snapshotPart.inFile.name), [kept.map((line) => `${line}\n`).join('')]);
  return true;
}
