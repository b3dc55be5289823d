export { openSentResources } from './completeness/sent-resources.ts';
export type { FetchedBatch, FetchedDelivery, FetchingJob } from './fetching/fetched.ts';
export { GROUP, type Jobs, type JobsOptions, Stopped, startJobs } from './jobs.ts';
export { openLabCatalogue } from './labs/catalogue.ts';
export { openLabResults } from './labs/results.ts';
export { type JobsThread, type JobsThreadOptions, startJobsThread } from './thread/jobs-thread.ts';
export type { TopicsToRead } from './thread/messages.ts';
export { openUsers } from './users/users.ts';
export { openWorkoutStreams } from './workout-streams/workout-streams.ts';
