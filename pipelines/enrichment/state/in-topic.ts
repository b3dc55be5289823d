import type { KeptEntries } from '@aorta/connectors';
import type { DurableState, Entries, OpenState } from './durable-state.ts';

/** A state in a compacted topic, for whichever worker goes on with it: only entries that have changed are written. */
export const stateInTopic =
  (open: () => Promise<KeptEntries>): OpenState =>
  async (): Promise<DurableState> => {
    const topic = await open();
    /** Entries that no part has taken yet. */
    const left = new Map(topic.take());
    const takeOwn = (owns: (name: string) => boolean): Map<string, string> => {
      const own = new Map([...left].filter(([name]) => owns(name)));
      for (const name of own.keys()) left.delete(name);
      return own;
    };
    return {
      besideStreams: false,
      open: async ({ empty, inTopic }) => {
        const own = takeOwn((name) => inTopic.owns(name));
        const content = inTopic.read(own) ?? empty;
        return { content, keep: keeper(topic, inTopic, own) };
      },
      close: () => topic.close(),
    };
  };

/** Writes what differs from the entries of before. */
function keeper<Kept>(
  topic: Pick<KeptEntries, 'write'>,
  {
    changes,
    compares = () => true,
  }: { changes(content: Kept, kept: Entries): readonly (readonly [string, string | null])[]; compares?(name: string): boolean },
  before: Entries,
): (content: Kept) => Promise<void> {
  const kept = new Map([...before].filter(([name]) => compares(name)));
  return async (content) => {
    const changed = changes(content, kept);
    await topic.write(changed);
    for (const [name, text] of changed) {
      if (text === null) kept.delete(name);
      else if (compares(name)) kept.set(name, text);
    }
  };
}
