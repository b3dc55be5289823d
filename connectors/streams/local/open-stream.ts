import type { FileOperations } from '@aorta/runtime';
import { codecOf } from '@aorta/schemas';
import { Gathering, type SpareBuffers } from './gathering.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { StreamFolder } from './stream-folder.ts';

/** How the streams of a log are written. */
export interface WritingSettings {
  /** A segment that has reached so many bytes is followed by a new one. */
  readonly segmentBytes: number;
  readonly spare: SpareBuffers;
  readonly operations: FileOperations;
}

/** What a stream is written with. */
interface Writing {
  readonly gathering: Gathering<never>;
  readonly writer: SegmentWriter;
}

/** A stream of an open log: its folder, and what it is written with from its first record on. */
export class OpenStream {
  readonly folder: StreamFolder;
  /** Undefined until something is written. */
  begun: Writing | undefined;
  readonly #settings: WritingSettings;

  constructor(folder: StreamFolder, settings: WritingSettings) {
    this.folder = folder;
    this.#settings = settings;
  }

  /** Made for the first record: an encoder takes milliseconds to make, and most streams get none in a run. */
  get writing(): Writing {
    this.begun ??= writingTo(this.folder, this.#settings);
    return this.begun;
  }
}

function writingTo({ name, path, segments, end }: StreamFolder, { segmentBytes, spare, operations }: WritingSettings): Writing {
  const codec = codecOf(name);
  const place = { stream: name, folder: path, schema: codec.schema, segmentBytes, operations };
  return {
    gathering: new Gathering(codec, spare) as unknown as Gathering<never>,
    writer: new SegmentWriter(place, segments, end),
  };
}
