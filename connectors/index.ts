export { type AdapterOptions, type AdapterSettings, defaultData } from './adapter-options.ts';
export { type ErasureReceipt, userColumns } from './erasure.ts';
export { WarehouseError, warehouseErrors } from './errors.ts';
export { type Finding, failure } from './finding.ts';
export { type GroupMember, groupMembers, type MemberPartition } from './group-member.ts';
export { isTakenOver, type KeptEntries } from './kept-entries.ts';
export type { OwnedShare, Ownership, OwnershipOptions } from './ownership.ts';
export { type Preferences, preferencesOptions, sourceTypes } from './preferences.ts';
export { landedTable, notLanded, type Privacy, privacyOptions, withheld } from './privacy.ts';
export { Decimal, jsonOf, type QueryResult, type QueryValue } from './query-values.ts';
export type {
  ClaimsOfWorker,
  Delivery,
  DeliveryBatch,
  Patience,
  ProbeSurroundings,
  Source,
  SourceAdapter,
  SourceModule,
  SourceOptions,
  SourceSettings,
  SourceSurroundings,
} from './source.ts';
export {
  damageOf,
  type FollowableLog,
  inUse,
  partitionName,
  partitionOf,
  type ReadableLog,
  type ReadBatch,
  type ReadLimit,
  type StreamLog,
  type StreamNews,
  type StreamPartition,
  shortPartitionName,
} from './stream-log.ts';
export type {
  AppliedTopics,
  LoadedRecords,
  LoadedStream,
  LogOfLoader,
  Membership,
  OpenStreamLog,
  Reach,
  StreamListing,
  StreamLogAdapter,
  StreamLogAt,
  StreamLogLocation,
  StreamLogModule,
  StreamLogState,
  StreamsView,
  TopicDifference,
  WorkingGroups,
} from './stream-log-adapter.ts';
export {
  type BatchStart,
  type CostReport,
  type GrowingBatch,
  gather,
  type Landed,
  type LandedPartition,
  type LandingBatch,
  type MergeReport,
  type TableDifference,
  type TimedWait,
  type WaitingMerge,
  type Warehouse,
  type WarehouseReader,
  type WithheldValues,
} from './warehouse.ts';
export type {
  AppliedDifferences,
  ApplyProgress,
  TableChoices,
  WarehouseAdapter,
  WarehouseDifference,
  WarehouseLocation,
  WarehouseModule,
  WarehouseOnDisk,
  WarehouseOpening,
} from './warehouse-adapter.ts';
