import type { KeptEntries } from '@aorta/connectors';
import type { DurableState, Entries, OpenState } from './durable-state.ts';

/** State in a compacted topic, from which any worker can resume. A save writes only changed entries. */
export const stateInTopic =
  (open: () => Promise<KeptEntries>): OpenState =>
  async (): Promise<DurableState> => {
    const topic = await open();
    /** Entries that no part owns yet. */
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

/** Returns a function that writes the changes since the last save. */
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
