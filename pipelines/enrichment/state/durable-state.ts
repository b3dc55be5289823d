import { join } from 'node:path';
import type { KeptEntries } from '@aorta/connectors';
import { makeFolder, readIfThere, replaceFile } from '@aorta/runtime';

/**
 * The durable state of a worker. Each part is read and saved as a whole, either in a file ({@link stateInFiles}) or as
 * entries in a topic ({@link stateInTopic}).
 */
export interface DurableState {
  /** Whether the state can be rebuilt from the streams. Local streams keep all records, but topics do not. */
  readonly besideStreams: boolean;
  /** Reads the last saved content of a part. Rejects with AORTA-DATA-NEWER or AORTA-FILE-UNREADABLE. */
  open<Kept, Content = Kept>(part: StatePart<Kept, Content>): Promise<OpenPart<Kept, Content>>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Opens the state of a worker. Called each time the worker starts. */
export type OpenState = () => Promise<DurableState>;

export interface OpenPart<Kept, Content = Kept> {
  /** Last saved content; {@link StatePart.empty} if there is none or it is unreadable. */
  readonly content: Content;
  /** Saves the content durably. Rejects with AORTA-DATA-UNWRITABLE, or with the topic's error. */
  keep(content: Kept): Promise<void>;
}

/**
 * How a part of the state is stored in a file and in a topic. A worker saves content of type `Kept`, and reads content of
 * type `Content`.
 */
export interface StatePart<Kept, Content = Kept> {
  readonly empty: Content;
  readonly inFile: FileForm<Kept, Content>;
  readonly inTopic: EntriesForm<Kept, Content>;
}

interface FileForm<Kept, Content> {
  /** Name of the file in the state folder. */
  readonly name: string;
  /** Yields the text of the file in chunks. */
  text(content: Kept): Iterable<string>;
  /**
   * Returns undefined if the text is damaged or in an earlier format. If the format is newer, throws AORTA-DATA-NEWER, which
   * contains `path`.
   */
  read(text: string, path: string): Content | undefined;
}

interface EntriesForm<Kept, Content> {
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

/** State in a folder beside the local streams, with one file per part. Each save replaces the whole file. */
export const stateInFiles =
  (folder: string): OpenState =>
  async (): Promise<DurableState> => ({
    besideStreams: true,
    open: async ({ empty, inFile }) => {
      const path = join(folder, inFile.name);
      const text = (await readIfThere(path))?.toString('utf8');
      return {
        content: (text === undefined ? undefined : inFile.read(text, path)) ?? empty,
        keep: async (content) => {
          await makeFolder(folder);
          // Builds the whole text before the write begins, so that later changes cannot affect it.
          await replaceFile(path, [...inFile.text(content)]);
        },
      };
    },
    close: async () => {},
  });

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
        return { content, keep: entryWriter(topic, inTopic, own) };
      },
      close: () => topic.close(),
    };
  };

/** Returns a function that writes the changes since the last save. */
function entryWriter<Kept>(
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
