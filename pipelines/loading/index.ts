export { LoadingError, loadingErrors } from './errors.ts';
export { type Loader, type LoaderOptions, startLoader } from './loader.ts';
export { loadingMetrics } from './metrics.ts';
export { GROUP, MERGES, mergerId } from './names.ts';
export { Stopped } from './stopped.ts';
export { type LoaderThread, type LoaderThreadOptions, startLoaderThread } from './thread/loader-thread.ts';
export type { Upcoming } from './upcoming.ts';
