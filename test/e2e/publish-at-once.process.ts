import { registerHooks } from 'node:module';

/*
 * `node --import` loads this module before the program. After a publication, Aorta pauses for 99 times its duration, which is a
 * minute or more on a busy machine. This module removes the pause, so that tests need not wait for it.
 */
const REST = 'const REST = 99;';

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/duckdb/publication-pace.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(REST)) throw new Error(`${url} does not contain ${REST}`);
    return { ...loaded, source: source.replace(REST, 'const REST = 0;') };
  },
});
