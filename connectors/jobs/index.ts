export { GROUP, type Jobs, type JobsOptions, Stopped, startJobs } from './jobs.ts';
