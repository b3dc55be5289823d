export { type HeaderFacts, headerBytes, isAhead, looksGzipped, parseReceivedAt, readHeaders } from './delivery.ts';
export { sourceErrors } from './errors.ts';
export { sourceMetrics } from './metrics.ts';
export { ByPartition, consumerPart } from './partition.ts';
