export { SegmentError, segmentErrors } from './errors.ts';
export { FollowedLog, type StreamView } from './followed-log.ts';
export type { LocalLog } from './local-log.ts';
export { openLocalLog } from './open.ts';
