import type { FileOperations } from '@aorta/runtime';
import { codecOf } from '@aorta/schemas';
import { Gathering, type SpareBuffers } from './gathering.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { StreamFolder } from './stream-folder.ts';

export interface WritingSettings {
  /** Size in bytes at which a new segment is started. */
  readonly segmentBytes: number;
  readonly spare: SpareBuffers;
  readonly operations: FileOperations;
}

interface Writing {
  readonly gathering: Gathering<never>;
  readonly writer: SegmentWriter;
}

/** A stream of an open log: its folder and, after the first append, its writer. */
export class OpenStream {
  readonly folder: StreamFolder;
  /** Undefined until the first record is appended. */
  begun: Writing | undefined;
  readonly #settings: WritingSettings;

  constructor(folder: StreamFolder, settings: WritingSettings) {
    this.folder = folder;
    this.#settings = settings;
  }

  /** Created when the first record is appended, because creating an encoder takes milliseconds and most streams get no record in a run. */
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
