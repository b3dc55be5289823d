export { streamMetrics } from './metrics.ts';
export {
  type ReadPosition,
  ReadPositions,
  type StreamPartitionReader,
  StreamReader,
  type StreamReaderOptions,
  type Stretch,
} from './stream-reader.ts';
