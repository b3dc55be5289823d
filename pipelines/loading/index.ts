export { loadingErrors } from './errors.ts';
export type { Upcoming } from './loader.ts';
export { startLoader } from './loader.ts';
export { loadingMetrics } from './metrics.ts';
export { type LoaderThread, type LoaderThreadOptions, startLoaderThread } from './thread/loader-thread.ts';
