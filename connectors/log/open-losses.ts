import { errorFields, type Logger, type ProgressReports } from '@aorta/runtime';
import { isKept, lossError } from './damaged-segment.ts';
import type { Loss } from './durable-ends.ts';

/** Milliseconds between two looks at the files that are kept aside. */
const LOOK_MS = 5_000;

export interface LossReports {
  readonly logger: Logger;
  /** While a loss is open, the program is not ready. */
  readonly progress: Pick<ProgressReports, 'wait'>;
}

/** Reports the losses of a log until a person has deleted the damaged files that were kept aside. */
export class OpenLosses {
  readonly #folder: string;
  readonly #reports: LossReports;
  /** The open losses, and the function that ends the report of each. */
  readonly #open = new Map<Loss, () => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string, reports: LossReports) {
    this.#folder = folder;
    this.#reports = reports;
  }

  add(losses: readonly Loss[]): void {
    for (const loss of losses) {
      if (this.#open.has(loss) || !isKept(this.#folder, loss)) continue;
      const error = lossError(loss);
      this.#reports.logger.error('records are lost', errorFields(error));
      this.#open.set(loss, this.#reports.progress.wait('streams', error.message, { deadlineMs: 0 }));
    }
    if (this.#open.size > 0) this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const end of this.#open.values()) end();
    this.#open.clear();
  }

  #look(): void {
    for (const [loss, end] of this.#open) {
      if (isKept(this.#folder, loss)) continue;
      end();
      this.#open.delete(loss);
    }
  }
}
