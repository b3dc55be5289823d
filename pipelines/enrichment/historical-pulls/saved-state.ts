import type { ReadPosition } from '@aorta/connectors/streams';
import { changesTo, parsed } from '../state/document.ts';
import type { Entries, StatePart } from '../state/durable-state.ts';
import type { Owed } from './notices.ts';
import type { Tracker } from './tracker.ts';

/** Read positions by partition, such as `connections/0`. */
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
 * Evidence, read positions and unsent notices. Each user's evidence is one entry. Positions are written after the users, so
 * that evidence is read again if a save is incomplete.
 */
export const snapshotPart: StatePart<Snapshot, SavedPulls> = {
  empty: { positions: {}, owed: undefined, users: [] },
  owns: (name) => [USER, POSITION, OWED].some((prefix) => name.startsWith(prefix)),
  compares: (name) => !name.startsWith(USER),
  changes: ({ tracker, changed, positions, owed }, kept) => {
    const users = [...changed].map((userId): [string, string | null] => {
      const known = tracker.user(userId);
      const text = known === undefined ? null : JSON.stringify([known[0], known[1].toString('base64')]);
      return [`${USER}${userId}`, text];
    });
    const wanted = Object.entries(positions).map(([name, position]) => [`${POSITION}${name}`, JSON.stringify(position)] as const);
    const notices = (owed ?? []).map(([pull, planned]) => [`${OWED}${pull}`, JSON.stringify(planned)] as const);
    return [...users, ...changesTo(new Map(notices), begins(OWED, kept)), ...changesTo(new Map(wanted), begins(POSITION, kept))];
  },
  read: readEntries,
};

/**
 * Fingerprints of sent notices. If a fingerprint is unreadable, the notice is sent again, so each notice is sent at least
 * once.
 */
export const sentPart: StatePart<readonly string[]> = {
  empty: [],
  owns: (name) => name.startsWith(SENT),
  read: (entries) => [...entries.keys()].map((name) => name.slice(SENT.length)),
  changes: (sent, kept) => changesTo(new Map(sent.map((one) => [`${SENT}${one}`, '1'])), kept),
};

/** The unfinished sweep; undefined if there is none. */
export const sweepPart: StatePart<SavedSweep | undefined> = {
  empty: undefined,
  owns: (name) => name === SWEEP,
  read: (entries) => readSweep(entries.get(SWEEP)),
  changes: (sweep) => [[SWEEP, sweep === undefined ? null : JSON.stringify(sweep)]],
};

/** Returns the saved sweep; undefined if there is none or it is unreadable. A new sweep then starts. */
function readSweep(text: string | undefined): SavedSweep | undefined {
  const { began, cursor } = (parsed(text) ?? {}) as Partial<SavedSweep>;
  return typeof began === 'number' && typeof cursor === 'string' ? { began, cursor } : undefined;
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
