export { streamMetrics } from './metrics.ts';
export {
  type PartitionReader,
  type ReadPosition,
  ReadPositions,
  StreamReader,
  type StreamReaderOptions,
} from './stream-reader.ts';
