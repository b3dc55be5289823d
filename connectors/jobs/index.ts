export { type Following, type FollowingOptions, followHistoricalPulls } from './historical-pulls/following.ts';
export { type HistoricalPullsSettings, historicalPullsOptions } from './historical-pulls/options.ts';
export { GROUP, type Jobs, type JobsOptions, Stopped, startJobs } from './jobs.ts';
export { type JobsThread, type JobsThreadOptions, startJobsThread } from './thread/jobs-thread.ts';
export type { TopicsToRead } from './thread/messages.ts';
