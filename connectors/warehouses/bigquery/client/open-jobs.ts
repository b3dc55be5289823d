import { type Patience, realSurroundings, type Surroundings, usualPatience } from '../errors/persisting.ts';
import type { BigQuerySettings } from '../options.ts';
import { JobRunner, type JobsOptions } from './jobs.ts';
import { openClient } from './official-client.ts';

export interface OpenJobsOptions extends Pick<JobsOptions, 'onPause' | 'onBilled'> {
  readonly patience?: Partial<Patience> | undefined;
  readonly surroundings?: Surroundings | undefined;
}

export function openJobs(
  settings: Pick<
    BigQuerySettings,
    'project' | 'dataset' | 'location' | 'key_file' | 'api_endpoint' | 'call_s' | 'gzip' | 'patience_s'
  >,
  { patience, surroundings = realSurroundings, ...heard }: OpenJobsOptions = {},
): JobRunner {
  const { project, dataset, location, key_file: keyFile, api_endpoint: apiEndpoint, call_s, patience_s, gzip } = settings;
  const client = openClient({ project, dataset, location, keyFile, apiEndpoint, callMs: call_s * 1000, gzip });
  return new JobRunner({ client, patience: { ...usualPatience, forMs: patience_s * 1000, ...patience }, surroundings, ...heard });
}
