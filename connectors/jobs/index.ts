export type { Jobs, JobsOptions } from './jobs.ts';
