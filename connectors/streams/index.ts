export { streamMetrics } from './metrics.ts';
export { type ReadPosition, ReadPositions, type StreamPartitionReader, StreamReader, type Stretch } from './stream-reader.ts';
