/** Exports for the repository's tests, benchmarks and generators. Not published: programs use the library (`index.ts`). */

export { parseConfiguration, readSetting, type Setting } from './config/configuration.ts';
export { configurationReference } from './config/reference.ts';
export { configurationSchema } from './config/schema.ts';
export { cliReference } from './reference/cli.ts';
export type { LoadReport } from './report/load-report.ts';
export { type BackfillOutcome, type BackfillRun, backfill } from './run/backfill.ts';
export { type LoadOptions, type LoadOutcome, load } from './run/load.ts';
export { type PipelineOptions, type PipelineOutcome, runPipeline } from './run/pipeline.ts';
export { configuredSources } from './run/sources.ts';
