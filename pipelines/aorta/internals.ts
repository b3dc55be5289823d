/** Exports for the repository's tests, benchmarks and generators. Not published: programs use the library (`index.ts`). */

export { readSetting } from './config/configuration.ts';
export { configurationSchema } from './config/schema.ts';
export { backfill } from './run/backfill.ts';
export { type LoadOutcome, load } from './run/load.ts';
export { type PipelineOptions, runPipeline } from './run/pipeline.ts';
export { configuredSources } from './run/sources.ts';
