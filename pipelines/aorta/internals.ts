/** Exports for the repository's tests, benchmarks and generators. Not published: programs use the library (`index.ts`). */
export { type BackfillOutcome, type BackfillRun, backfill } from './backfilling.ts';
export { cliReference } from './cli-reference.ts';
export { ConfigurationRefused, parseConfiguration, readSetting, type Setting } from './configuration/configuration.ts';
export { configurationReference } from './configuration/reference.ts';
export { configurationSchema } from './configuration/schema.ts';
export { type LoadOptions, type LoadOutcome, load } from './loading.ts';
export { type PipelineOptions, type PipelineOutcome, runPipeline } from './pipeline.ts';
export type { LoadReport } from './report.ts';
export { configuredSources } from './sources.ts';
