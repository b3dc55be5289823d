/**
 * The durable state of a worker. Each part is read and saved as a whole, in a file ({@link stateInFiles}) or as entries of a
 * topic ({@link stateInTopic}).
 */
export interface DurableState {
  /** Whether the state can be rebuilt from the streams: local streams keep all records, topics do not. */
  readonly besideStreams: boolean;
  /** Reads the last saved content of a part. Rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE. */
  open<Kept, Content = Kept>(part: StatePart<Kept, Content>): Promise<OpenPart<Kept, Content>>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Opens the state of a worker. Called at each start of the worker. */
export type OpenState = () => Promise<DurableState>;

export interface OpenPart<Kept, Content = Kept> {
  /** Last saved content; {@link StatePart.empty} if there is none or it is unreadable. */
  readonly content: Content;
  /** Saves the content durably. Rejects with AORTA-DATA-UNWRITABLE, or with an error of the topic. */
  keep(content: Kept): Promise<void>;
}

/** The two storage forms of a state part. A worker saves `Kept` and reads `Content`. */
export interface StatePart<Kept, Content = Kept> {
  readonly empty: Content;
  readonly inFile: FileForm<Kept, Content>;
  readonly inTopic: EntriesForm<Kept, Content>;
}

interface FileForm<Kept, Content> {
  /** File name in the state folder. */
  readonly name: string;
  /** Returns the file's text in pieces. */
  text(content: Kept): Iterable<string>;
  /** Returns undefined if the text is damaged or has an earlier format. `path` is for errors. Throws AORTA-DATA-NEWER. */
  read(text: string, path: string): Content | undefined;
}

interface EntriesForm<Kept, Content> {
  /** Whether an entry belongs to this part. */
  owns(name: string): boolean;
  /** Returns undefined if the entries are unreadable. */
  read(entries: Entries): Content | undefined;
  /** Returns the changes from the saved entries to those of `content`, in the order of writing. */
  changes(content: Kept, kept: Entries): readonly EntryChange[];
  /** Whether `changes` compares this entry. Only these stay in memory. Default: all. */
  compares?(name: string): boolean;
}

export type Entries = ReadonlyMap<string, string>;
/** A null text removes the entry. */
type EntryChange = readonly [name: string, text: string | null];
