import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AortaError,
  keepAside,
  nameOfKept,
  OpenDamage,
  type Progress,
  steadyNow,
  systemCode,
  unreadable,
} from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { WebhookError } from '../errors.ts';

export interface DamagedSegmentsOptions {
  /** Name of the source in receipts. */
  readonly source: string;
  readonly folder: string;
  readonly progress: Pick<Progress, 'outage'>;
  onProblem(error: AortaError): void;
}

const SEGMENT_NAME = /^[0-9]+\.intake$/;

/** Returns an error for each damaged segment in the folder that the operator has not deleted. Rejects with AORTA-FILE-UNREADABLE. */
export async function damageIn(folder: string): Promise<AortaError[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw unreadable(folder, error);
  });
  return names.sort().flatMap((name) => {
    const segment = nameOfKept(name);
    return segment === undefined || !SEGMENT_NAME.test(segment)
      ? []
      : damageOf(join(folder, segment), 'acknowledged messages may be missing', join(folder, name));
  });
}

function damageOf(file: string, lost: string, kept: string): AortaError {
  return new WebhookError('AORTA-WEBHOOK-INTAKE-DAMAGED', { file, lost, kept });
}

/**
 * The segments in which acknowledged messages are missing. Aorta keeps their files. The source is not ready until the operator
 * deletes these files.
 */
export class DamagedSegments {
  readonly #options: DamagedSegmentsOptions;
  readonly #open = new OpenDamage();

  private constructor(options: DamagedSegmentsOptions) {
    this.#options = options;
  }

  /** Reports the segments that earlier processes found. Rejects with AORTA-FILE-UNREADABLE. */
  static async open(options: DamagedSegmentsOptions): Promise<DamagedSegments> {
    const found = await damageIn(options.folder);
    const segments = new DamagedSegments(options);
    for (const error of found) segments.#raise(error);
    return segments;
  }

  /**
   * Keeps the segment at `path`, and reports that this number of `messages` is missing in it. Rejects with
   * AORTA-DATA-UNWRITABLE.
   */
  async report(path: string, messages: number): Promise<void> {
    const kept = `${path}${await keepAside(path)}`;
    this.#raise(damageOf(path, `${counted(messages, 'acknowledged message')} cannot be read`, kept));
  }

  close(): void {
    this.#open.close();
  }

  #raise(error: AortaError): void {
    const { source, progress, onProblem } = this.#options;
    const kept = String(error.details.kept);
    const place = { reader: source, of: 'the intake log', partitions: '' };
    this.#open.add(kept, kept, () => progress.outage(place, error.message, { since: steadyNow(), deadlineMs: 0 }));
    onProblem(error);
  }
}
