export { GROUP, type Jobs, type JobsOptions, startJobs } from './jobs.ts';
