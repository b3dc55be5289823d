import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const name = 'published.json';

/**
 * How many deliveries of the people the hubs in this folder have accepted, in their order; 0 where nobody says. After a
 * kill it may say too few: these are then published a second time, as the service does, and recognised.
 */
export function publishedIn(folder: string): number {
  try {
    const { deliveries } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { readonly deliveries?: unknown };
    return typeof deliveries === 'number' ? deliveries : 0;
  } catch {
    return 0;
  }
}

export function notePublished(folder: string, deliveries: number): void {
  const file = join(folder, name);
  writeFileSync(`${file}.new`, `${JSON.stringify({ deliveries })}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
