import { enableCompileCache } from 'node:module';

/**
 * Entry point of the loader's thread. Imports the code dynamically, because a static import would be compiled before the
 * compile cache is enabled.
 */

enableCompileCache();
await import('./work.ts');
