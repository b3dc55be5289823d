export { SegmentError } from './errors.ts';
export type { LocalLog } from './local-log.ts';
export { openLocalLog } from './local-log.ts';
