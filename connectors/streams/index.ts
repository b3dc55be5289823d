export {
  type PartitionReader,
  type ReadPosition,
  ReadPositions,
  StreamReader,
  type StreamReaderOptions,
} from './stream-reader.ts';
