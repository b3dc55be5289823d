export { ByPartition } from './by-partition.ts';
export { consumerPart } from './consumer-part.ts';
export { looksGzipped } from './gzip.ts';
export { type HeaderFacts, headerBytes, readHeaders } from './headers.ts';
export { type SourceMetrics, sourceMetrics } from './metrics.ts';
export { isAhead, parseReceivedAt } from './received-at.ts';
