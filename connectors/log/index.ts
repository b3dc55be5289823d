export { SegmentError } from './errors.ts';
export { openKeptFile } from './kept-file.ts';
export type { LocalLog } from './local-log.ts';
export { openLocalLog } from './local-log.ts';
