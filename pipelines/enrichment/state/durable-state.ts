/**
 * What a worker durably remembers over restarts, in parts that are read and kept as a whole each. It has two forms: files
 * beside local streams ({@link stateInFiles}), and entries of a topic ({@link stateInTopic}).
 */
export interface DurableState {
  /**
   * True of files: the state was made from the streams beside it, which forget nothing, so that it can be made again from
   * them. A topic outlives the records that its entries were made from.
   */
  readonly besideStreams: boolean;
  /** Reads a part as it was kept last. Rejects with AORTA-DATA-NEWER and AORTA-FILE-UNREADABLE. */
  open<Kept, Content = Kept>(part: StatePart<Kept, Content>): Promise<OpenPart<Kept, Content>>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Opens the state of a worker. It is opened again each time the worker starts. */
export type OpenState = () => Promise<DurableState>;

export interface OpenPart<Kept, Content = Kept> {
  /** What was kept last; {@link StatePart.empty} if that is nothing, or if it cannot be read. */
  readonly content: Content;
  /** Keeps it durably. Rejects with AORTA-DATA-UNWRITABLE, or as the topic does. */
  keep(content: Kept): Promise<void>;
}

/** How a part of a state is written in each of the two forms. `Kept` is what a worker gives, `Content` what it gets back. */
export interface StatePart<Kept, Content = Kept> {
  readonly empty: Content;
  readonly inFile: FileForm<Kept, Content>;
  readonly inTopic: EntriesForm<Kept, Content>;
}

interface FileForm<Kept, Content> {
  /** Name in the folder of the state. */
  readonly name: string;
  /** The text of the file, in pieces. */
  text(content: Kept): Iterable<string>;
  /** Undefined if the text is damaged or of an earlier format. `path` is for errors. Throws AORTA-DATA-NEWER. */
  read(text: string, path: string): Content | undefined;
}

interface EntriesForm<Kept, Content> {
  /** Whether an entry of this name belongs to the part. */
  owns(name: string): boolean;
  /** Undefined if they cannot be read. */
  read(entries: Entries): Content | undefined;
  /** Changes that turn the kept entries into those of `content`, in the order in which they are written. */
  changes(content: Kept, kept: Entries): readonly EntryChange[];
  /** Entries that `changes` compares with; the texts of all others are not held in memory. Default: all. */
  compares?(name: string): boolean;
}

/** Texts by name. */
export type Entries = ReadonlyMap<string, string>;
/** Null takes the entry away. */
type EntryChange = readonly [name: string, text: string | null];
