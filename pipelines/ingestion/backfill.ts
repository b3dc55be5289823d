export { BackfillCheckpoint, type BackfillPosition, checkpointFile } from './backfill/checkpoint.ts';
export { backfillResources, beginningOf, dateOf, planBackfill } from './backfill/plan.ts';
export { BackfillSource } from './backfill/source.ts';
