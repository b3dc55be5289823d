import { enableCompileCache } from 'node:module';

/** Entry point of the loader's thread. The import is dynamic because Node compiles static imports before it enables the cache. */

enableCompileCache();
await import('./work.ts');
