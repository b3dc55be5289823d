import { enableCompileCache } from 'node:module';

/*
 * Entry point of the loader's thread. Imports the code dynamically, because a static import would be compiled before the compile
 * cache is enabled. This file is plain JavaScript, because loading the compiler for a single file of TypeScript takes 20 ms.
 */
enableCompileCache();
await import(new URL('./work.ts', import.meta.url).href);
