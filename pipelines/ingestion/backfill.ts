export { BackfillCheckpoint, type BackfillPosition, checkpointFile, forgetBackfill } from './backfill/checkpoint.ts';
export { backfillResources, beginningOf, dateOf, planBackfill } from './backfill/plan.ts';
export { type BackfillOptions, BackfillSource } from './backfill/source.ts';
