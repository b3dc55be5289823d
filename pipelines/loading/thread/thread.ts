import { enableCompileCache } from 'node:module';

/** Where the thread of the loader begins. What it runs is imported only then: what stands among the imports is compiled before the cache is asked. */

enableCompileCache();
await import('./work.ts');
