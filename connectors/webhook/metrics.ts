import { type MetricCatalogue, sharedLabels } from '@aorta/runtime';
import type { sourceMetrics } from '../sources/metrics.ts';

const { source } = sharedLabels;

export const webhookMetrics = {
  aorta_webhook_requests_total: {
    type: 'counter',
    unit: 'none',
    help: 'Answered requests to the webhook endpoint, by result. A request that names no endpoint counts for the first source at the address.',
    labels: {
      source,
      result:
        '`accepted`, `probe`, or why the request was refused: `unsigned`, `wrong_signature`, `old`, `future`, `too_large`, `too_slow`, `broken_off`, `method`, `held`, `backlog`, `unwritable`, `stopping`, `path`, `malformed`, `headers_too_large`, `failed`. The guide to webhooks explains them.',
    },
  },
  aorta_webhook_durable_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Time from the end of a request’s body until the message is durable in the intake log.',
    labels: { source },
  },
  aorta_webhook_in_flight_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Bytes of request bodies that are not durable yet.',
    labels: { source },
  },
  aorta_webhook_backlog_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Bytes of durable messages in a local intake log that ingestion has not committed yet.',
    labels: { source },
  },
} as const satisfies MetricCatalogue;

export type WebhookMetrics = typeof webhookMetrics & typeof sourceMetrics;
