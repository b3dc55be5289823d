export { streamMetrics } from './metrics.ts';
export {
  type PartitionReader,
  type ReadPosition,
  ReadPositions,
  StreamReader,
  type StreamReaderOptions,
  type Stretch,
} from './stream-reader.ts';
