import { open } from 'node:fs/promises';
import { unreadable } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import type { Segment } from './segment.ts';
import { framedBlockAt, readHeader, SegmentWindow } from './segment-file.ts';

/** A torn tail that was cut when the log was opened. */
export interface RecoveredTail {
  readonly stream: StreamName;
  /** Path of the segment, relative to the log's folder. */
  readonly file: string;
  readonly bytes: number;
  /** Position of the first record that was cut. The stream now ends here. */
  readonly record: number;
}

/** The first part of a segment, in which correctly framed blocks follow each other without a gap. */
export interface FramedPart {
  /** Position in the stream after the last block. */
  readonly end: number;
  /** Byte offset in the file after the last block; 0 if the header is damaged or incomplete. */
  readonly bytes: number;
  /** Size of the file in bytes. */
  readonly size: number;
}

/** Reads the header of a segment, and the start and the sync marker of each block up to the first place without a block. */
export async function framedPart(segment: Segment): Promise<FramedPart> {
  try {
    await using handle = await open(segment.path, 'r');
    const { size } = await handle.stat();
    const header = await readHeader(handle, size, segment);
    if (typeof header === 'string') return { end: segment.first, bytes: 0, size };
    segment.header = header;
    const window = new SegmentWindow(handle, size);
    let end = segment.first;
    let bytes = header.bytes;
    while (bytes < size) {
      const block = await framedBlockAt(window, header.sync, bytes);
      if (block === undefined) break;
      segment.note(end, bytes);
      end += block.count;
      bytes = block.end;
    }
    return { end, bytes, size };
  } catch (error) {
    throw unreadable(segment.path, error);
  }
}
