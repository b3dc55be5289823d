export { streamMetrics } from './metrics.ts';
export { type ReadPosition, ReadPositions } from './read-positions.ts';
export {
  type PartitionReader,
  StreamReader,
  type StreamReaderOptions,
  type Stretch,
} from './stream-reader.ts';
