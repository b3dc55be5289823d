export { beginningOf, dateOf } from './calendar.ts';
export { BackfillCheckpoint, type BackfillPosition } from './checkpoint.ts';
export { backfillResources, planBackfill } from './plan.ts';
export { type BackfillOptions, BackfillSource, partitionOf } from './source.ts';
