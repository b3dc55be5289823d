import type { KeptState } from '@aorta/streams';
import { changesTo } from '../fetching/memory-entries.ts';
import type { Owed } from './notices.ts';
import type { Positions, PullsMemory, Remembered } from './pulls-memory.ts';
import { sweepIn } from './snapshot.ts';

const USER = 'user/';
const POSITION = 'position/';
const OWED = 'owed/';
const SENT = 'sent/';
const SWEEP = 'sweep';

/**
 * In a topic, for whichever worker goes on. Unlike local streams, topics forget: the evidence is kept here for as long as
 * pulls are followed, one entry a user. Positions come behind the users: what is not kept whole is heard again.
 */
export function pullsMemoryInTopic(state: KeptState): PullsMemory {
  let entries = state.take();
  /** All but the users. */
  const kept = new Map([...entries].filter(([name]) => !name.startsWith(USER)));
  /** Changes by which what begins so is as wanted. */
  const changes = (prefix: string, wanted: ReadonlyMap<string, string>) =>
    changesTo(wanted, new Map([...kept].filter(([name]) => name.startsWith(prefix))));
  const write = async (entries: readonly (readonly [string, string | null])[]): Promise<void> => {
    await state.write(entries);
    for (const [name, text] of entries) {
      if (text === null) kept.delete(name);
      else if (!name.startsWith(USER)) kept.set(name, text);
    }
  };
  return {
    ofTheseStreams: false,
    read: async () => {
      const found = remembered(entries);
      // The tracker holds it from now on.
      entries = new Map();
      return found;
    },
    write: async (tracker, changed, positions, owed) => {
      const users = [...changed].map((userId): [string, string | null] => {
        const known = tracker.user(userId);
        const text = known === undefined ? null : JSON.stringify([known[0], known[1].toString('base64')]);
        return [`${USER}${userId}`, text];
      });
      const wanted = Object.entries(positions).map(
        ([name, position]) => [`${POSITION}${name}`, JSON.stringify(position)] as const,
      );
      const notices = (owed ?? []).map(([pull, planned]) => [`${OWED}${pull}`, JSON.stringify(planned)] as const);
      await write([...users, ...changes(OWED, new Map(notices)), ...changes(POSITION, new Map(wanted))]);
    },
    readSent: async () => namesIn(kept, SENT),
    writeSent: (sent) => write(changes(SENT, new Map(sent.map((one) => [`${SENT}${one}`, '1'])))),
    readSweep: async () => sweepIn(kept.get(SWEEP) ?? ''),
    writeSweep: (sweep) => write([[SWEEP, sweep === undefined ? null : JSON.stringify(sweep)]]),
    close: () => state.close(),
  };
}

const namesIn = (entries: ReadonlyMap<string, string>, prefix: string): string[] =>
  [...entries.keys()].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));

function remembered(entries: ReadonlyMap<string, string>): Remembered {
  const users: (readonly [string, boolean, Buffer])[] = [];
  const positions: Record<string, Positions[string]> = {};
  const owed: Owed[number][] = [];
  for (const [name, text] of entries) {
    try {
      const content: unknown = JSON.parse(text);
      if (name.startsWith(USER)) {
        const [gone, evidence] = content as [boolean, string];
        users.push([name.slice(USER.length), gone, Buffer.from(evidence, 'base64')]);
      } else if (name.startsWith(POSITION)) positions[name.slice(POSITION.length)] = content as Positions[string];
      else if (name.startsWith(OWED)) owed.push([name.slice(OWED.length), content as Owed[number][1]]);
    } catch {
      // Of another version: as if it had never been kept.
    }
  }
  return { positions, owed: owed.length === 0 ? undefined : owed, users };
}
