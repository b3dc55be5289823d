import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/*
 * `node --import` loads this module before the program. After a publication, Aorta pauses for 99 times its duration, which is a
 * minute or more on a busy machine. This module removes the pause, so that tests need not wait for it.
 */
const REST = 'const REST = 99;';
const paced = new URL('../../connectors/duckdb/publication.ts', import.meta.url);
// Checked at once, because a hook whose file has moved would only make tests slow.
if (!readFileSync(paced, 'utf8').includes(REST)) throw new Error(`${paced.href} does not contain ${REST}`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    return url === paced.href ? { ...loaded, source: String(loaded.source).replace(REST, 'const REST = 0;') } : loaded;
  },
});
