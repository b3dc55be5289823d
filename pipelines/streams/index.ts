export { type KafkaLogOptions, openKafkaLog } from './kafka/kafka-log.ts';
export { type KeptState, openKeptState } from './kafka/kept-state.ts';
export { type KafkaStreamsOpening, openKafkaStreams } from './kafka/open.ts';
export { type KafkaStreamsOptions, type KafkaStreamsSettings, kafkaStreamsOptions, streamsConnection } from './kafka/options.ts';
export { applyTopics, groupOf, planTopics, type TopicDifference, topicOf } from './kafka/topics.ts';
export { openTopicsView, type TopicsView } from './kafka/view.ts';
export { makeFolder, readIfThere, replaceFile } from './local/durable-file.ts';
export { systemCode } from './local/file-operations.ts';
export { type FolderLock, lockFolder } from './local/folder-lock.ts';
export { FollowedLog, type StreamView } from './local/followed-log.ts';
export { type LocalLog, type LocalLogOptions, openLocalLog } from './local/local-log.ts';
export { NotEncodable } from './local/not-encodable.ts';
export { ownIdentity, type ProcessIdentity, processIdentity, whereaboutsOf } from './local/process-identity.ts';
export type { RecoveredTail } from './local/recovery.ts';
export {
  type AppendableLog,
  inUse,
  partitionName,
  partitionOf,
  type ReadableLog,
  type ReadBatch,
  type ReadLimit,
  type StreamLog,
  type StreamPartition,
  shortPartitionName,
} from './log.ts';
export { type GroupOwnershipOptions, ownByGroup } from './ownership/by-group.ts';
export { type KafkaOwnershipOpening, openKafkaOwnership } from './ownership/open.ts';
export { type OwnedShare, type Ownership, type OwnershipOptions, ownAlone } from './ownership/ownership.ts';
