export type { ReadBatch, ReadLimit, StreamLog } from './log.ts';
