import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How far the publishing of some people has come. */
export interface Published {
  /** Deliveries that the hubs have accepted, in their order. After a kill there may be more: these are published a second time, as the service does, and recognised. */
  readonly deliveries: number;
  /** Samples of all deliveries; known once everything is published. */
  readonly samples?: number;
}

const name = 'published.json';

/** What stands in the folder of the hubs; nothing, where nobody says. */
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
