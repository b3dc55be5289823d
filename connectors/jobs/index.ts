export { GROUP, type Jobs, type JobsOptions, Stopped, startJobs } from './jobs.ts';
export { type JobsThread, type JobsThreadOptions, startJobsThread } from './thread/jobs-thread.ts';
export type { TopicsToRead } from './thread/messages.ts';
