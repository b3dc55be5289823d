import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';

const { source, outcome } = sharedLabels;

export const enrichmentMetrics = {
  aorta_fetches_total: {
    type: 'counter',
    unit: 'none',
    help: 'Things asked of the service that events had announced, by what became of it.',
    labels: { source, outcome },
  },
  aorta_fetch_owed: {
    type: 'gauge',
    unit: 'none',
    help: 'Things that events have announced and that are not fetched yet.',
    labels: { source },
  },
  aorta_pulls_calls_total: {
    type: 'counter',
    unit: 'none',
    help: 'Calls of the introspection of historical pulls.',
    labels: { call: '`user`, `page` (of all users) or `failed`.' },
  },
  aorta_pulls_tracks_total: {
    type: 'counter',
    unit: 'none',
    help: 'Tracks of historical pulls that were folded anew, because something was heard.',
    labels: {},
  },
  aorta_pulls_notices_total: {
    type: 'counter',
    unit: 'none',
    help: 'Notices of historical pulls that were posted, by what became of them: `accepted` by a status of 2xx, or `failed`.',
    labels: { outcome },
  },
  aorta_pulls_notices_waiting: {
    type: 'gauge',
    unit: 'none',
    help: 'Notices of historical pulls that wait: for their time, for the summary, or for the receiver.',
    labels: {},
  },
  aorta_pulls_users: {
    type: 'gauge',
    unit: 'none',
    help: 'Users whose historical pulls are followed.',
    labels: {},
  },
  aorta_pulls_evidence_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Memory that the evidence of historical pulls takes.',
    labels: {},
  },
  aorta_pulls_oldest_answer_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Age of the oldest answer that the service gave for a user; absent while one was not answered for yet.',
    labels: {},
  },
} as const satisfies MetricCatalogue;

export type EnrichmentMetrics = typeof enrichmentMetrics;
