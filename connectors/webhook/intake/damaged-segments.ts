import { existsSync } from 'node:fs';
import { link, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type AortaError, DAMAGED, type Progress, steadyNow, syncFolder, systemCode, unwritable } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { WebhookError } from '../errors.ts';
import { damagedSegments } from './segment.ts';

export interface DamagedSegmentsOptions {
  /** Name of the source in receipts. */
  readonly source: string;
  readonly folder: string;
  readonly progress: Pick<Progress, 'outage'>;
  onProblem(error: AortaError): void;
}

/** Milliseconds between two checks whether the operator has deleted a damaged segment. */
const CHECK_EVERY_MS = 1000;

/** Returns an error for each damaged segment in the folder that the operator has not deleted. Rejects with AORTA-FILE-UNREADABLE. */
export async function damageIn(folder: string): Promise<AortaError[]> {
  return (await damagedSegments(folder)).map((kept) => damageOf(kept, 'acknowledged messages may be missing'));
}

function damageOf(kept: string, lost: string): AortaError {
  return new WebhookError('AORTA-WEBHOOK-INTAKE-DAMAGED', { file: kept.slice(0, -DAMAGED.length), lost, kept });
}

/**
 * The segments in which acknowledged messages are missing. Each is kept under a second name. The source is not ready until the
 * operator deletes that file.
 */
export class DamagedSegments {
  readonly #options: DamagedSegmentsOptions;
  /** By the path of the kept file: ends the outage. */
  readonly #outages = new Map<string, () => void>();
  readonly #timer: NodeJS.Timeout;

  private constructor(options: DamagedSegmentsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  /** Reports the segments that earlier processes found. Rejects with AORTA-FILE-UNREADABLE. */
  static async open(options: DamagedSegmentsOptions): Promise<DamagedSegments> {
    const found = await damageIn(options.folder);
    const segments = new DamagedSegments(options);
    for (const error of found) segments.#raise(error);
    return segments;
  }

  /** Keeps the segment at `path`, in which so many messages are missing, and reports it. Rejects with AORTA-DATA-UNWRITABLE. */
  async report(path: string, messages: number): Promise<void> {
    const kept = `${path}${DAMAGED}`;
    try {
      await link(path, kept).catch((error: unknown) => {
        if (systemCode(error) === 'EEXIST') return;
        // The segment itself is missing.
        if (systemCode(error) !== 'ENOENT') throw error;
        return writeFile(kept, '', { mode: 0o600 });
      });
      await syncFolder(dirname(kept));
    } catch (error) {
      throw unwritable(kept, error);
    }
    this.#raise(damageOf(kept, `${counted(messages, 'acknowledged message')} cannot be read`));
  }

  close(): void {
    clearInterval(this.#timer);
    for (const end of this.#outages.values()) end();
  }

  #raise(error: AortaError): void {
    const { source, progress, onProblem } = this.#options;
    const kept = String(error.details.kept);
    this.#outages.get(kept)?.();
    const place = { reader: source, of: 'the intake log', partitions: '' };
    this.#outages.set(kept, progress.outage(place, error.message, { since: steadyNow(), deadlineMs: 0 }));
    onProblem(error);
  }

  #check(): void {
    for (const [kept, end] of this.#outages) {
      if (existsSync(kept)) continue;
      end();
      this.#outages.delete(kept);
    }
  }
}
