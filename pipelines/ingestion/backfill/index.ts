export { beginningOf, dateOf } from './calendar.ts';
export { BackfillCheckpoint, type BackfillPosition, checkpointFile, forgetBackfill } from './checkpoint.ts';
export { backfillResources, planBackfill } from './plan.ts';
export { type BackfillOptions, BackfillSource } from './source.ts';
