import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { source, outcome } = sharedLabels;

export const enrichmentMetrics = {
  aorta_fetches_total: {
    type: 'counter',
    unit: 'none',
    help: 'Attempts to fetch data that events announced, by outcome.',
    labels: { source, outcome },
  },
  aorta_fetch_owed: {
    type: 'gauge',
    unit: 'none',
    help: 'Items that events have announced and Aorta has not fetched yet.',
    labels: { source },
  },
  aorta_pulls_calls_total: {
    type: 'counter',
    unit: 'none',
    help: 'Introspection calls for historical pulls.',
    labels: {
      call: '`user`: a call for one user. `page`: a call for a page of the list of all users. `failed`: a call that failed.',
    },
  },
  aorta_pulls_tracks_total: {
    type: 'counter',
    unit: 'none',
    help: 'Updated histories of pulls written after new evidence, one for each user, provider and resource.',
    labels: {},
  },
  aorta_pulls_notices_total: {
    type: 'counter',
    unit: 'none',
    help: 'Notices of historical pulls posted, by outcome: `accepted` (status 2xx) or `failed`.',
    labels: { outcome },
  },
  aorta_pulls_notices_waiting: {
    type: 'gauge',
    unit: 'none',
    help: 'Notices of historical pulls that the receiver has not accepted yet: they are not due, belong in the next summary, or wait for a retry.',
    labels: {},
  },
  aorta_pulls_users: {
    type: 'gauge',
    unit: 'none',
    help: 'Users whose historical pulls the tracker follows.',
    labels: {},
  },
  aorta_pulls_evidence_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Memory that the evidence of historical pulls uses.',
    labels: {},
  },
  aorta_pulls_oldest_answer_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Longest time since the service last answered for a user, over all users. No series until the service has answered for every user.',
    labels: {},
  },
} as const satisfies MetricCatalogue;

export type EnrichmentMetrics = typeof enrichmentMetrics;
