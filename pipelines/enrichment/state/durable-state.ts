import type { KeptEntries } from '@aorta/connectors';

/** The durable state of a worker. Each part is read as a whole, and a save writes only the entries that have changed. */
export interface DurableState {
  /** Whether the state can be rebuilt from the streams. Local streams keep all records, but topics do not. */
  readonly besideStreams: boolean;
  /** Reads the last saved content of a part. */
  open<Kept, Content = Kept>(part: StatePart<Kept, Content>): OpenPart<Kept, Content>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Opens the state of a worker. Called each time the worker starts. */
export type OpenState = () => Promise<DurableState>;

export interface OpenPart<Kept, Content = Kept> {
  /** Last saved content; {@link StatePart.empty} if there is none or it is unreadable. */
  readonly content: Content;
  /** Saves the content durably. Rejects with the error of the store. */
  keep(content: Kept): Promise<void>;
}

/**
 * How a part of the state is stored as entries. A worker saves content of type `Kept`, and reads content of type `Content`.
 */
export interface StatePart<Kept, Content = Kept> {
  readonly empty: Content;
  /** Returns whether an entry belongs to this part. */
  owns(name: string): boolean;
  /** Returns undefined if the entries are unreadable. */
  read(entries: Entries): Content | undefined;
  /** Returns the differences between the saved entries and `content`, in the order in which they must be written. */
  changes(content: Kept, kept: Entries): readonly EntryChange[];
  /** Returns whether `changes` needs this entry. Other entries are not kept in memory. Default: true. */
  compares?(name: string): boolean;
}

export type Entries = ReadonlyMap<string, string>;
/** If the text is null, the entry is removed. */
type EntryChange = readonly [name: string, text: string | null];

/** Returns a function that opens the state in a store. `besideStreams`: see {@link DurableState.besideStreams}. */
export const stateIn =
  (open: () => Promise<KeptEntries>, besideStreams: boolean): OpenState =>
  async (): Promise<DurableState> => {
    const store = await open();
    /** Entries that no part owns yet. */
    const left = new Map(store.take());
    return {
      besideStreams,
      open: (part) => {
        const own = new Map([...left].filter(([name]) => part.owns(name)));
        for (const name of own.keys()) left.delete(name);
        return { content: part.read(own) ?? part.empty, keep: entryWriter(store, part, own) };
      },
      close: () => store.close(),
    };
  };

/** Returns a function that writes the changes since the last save. */
function entryWriter<Kept>(
  store: Pick<KeptEntries, 'write'>,
  { changes, compares = () => true }: Pick<StatePart<Kept, unknown>, 'changes' | 'compares'>,
  before: Entries,
): (content: Kept) => Promise<void> {
  const kept = new Map([...before].filter(([name]) => compares(name)));
  return async (content) => {
    const changed = changes(content, kept);
    await store.write(changed);
    for (const [name, text] of changed) {
      if (text === null) kept.delete(name);
      else if (compares(name)) kept.set(name, text);
    }
  };
}
