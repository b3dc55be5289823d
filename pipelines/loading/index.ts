export { LoadingError, loadingErrors } from './errors.ts';
export type { Upcoming } from './loader.ts';
export { type Loader, type LoaderOptions, Stopped, startLoader } from './loader.ts';
export { loadingMetrics } from './metrics.ts';
export { GROUP, MERGES, mergerId } from './partitions.ts';
export { type LoaderThread, type LoaderThreadOptions, startLoaderThread } from './thread/loader-thread.ts';
