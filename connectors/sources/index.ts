export { type HeaderFacts, headerBytes, isAhead, looksGzipped, parseReceivedAt, readHeaders } from './delivery.ts';
export { type SourceMetrics, sourceMetrics } from './metrics.ts';
export { ByPartition, consumerPart } from './partition.ts';
