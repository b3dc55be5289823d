import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How much of the synthetic people's data has been published to the hubs. */
export interface Published {
  /**
   * Number of deliveries that the hubs have acknowledged. If the publishing process was killed, the hubs may hold more
   * deliveries than this. The next process publishes the extra ones again, as redeliveries.
   */
  readonly deliveries: number;
  /** Number of samples in all deliveries; set when all are published. */
  readonly samples?: number;
}

const name = 'published.json';

/** Reads the progress from the folder of the hubs. Returns 0 deliveries if nothing was published yet. */
export function publishedIn(folder: string): Published {
  try {
    return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Published;
  } catch {
    return { deliveries: 0 };
  }
}

export function notePublished(folder: string, published: Published): void {
  const file = join(folder, name);
  writeFileSync(`${file}.new`, `${JSON.stringify(published)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
