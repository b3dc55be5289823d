import { enableCompileCache } from 'node:module';

/** Entry point of the loader's thread. A static import would be compiled before the next line enables the compile cache. */

enableCompileCache();
await import('./work.ts');
