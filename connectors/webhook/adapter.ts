import { resolve } from 'node:path';
import { clientIdOf } from '../kafka/source/cluster.ts';
import type { SourceAdapter } from '../source.ts';
import { webhookErrors } from './errors.ts';
import { webhookMetrics } from './metrics.ts';
import { type WebhookSettings, webhookSourceOptions, withTopicOfStreams } from './options.ts';

export const webhook: SourceAdapter<WebhookSettings> = {
  type: 'webhook',
  errors: webhookErrors,
  metrics: webhookMetrics,
  options: webhookSourceOptions,
  placesName: 'endpoint',
  places: ({ listen, path }) => [`${listen}${path}`],
  resolvePaths: (settings, folder) =>
    settings.tls === undefined
      ? settings
      : {
          ...settings,
          tls: { cert_file: resolve(folder, settings.tls.cert_file), key_file: resolve(folder, settings.tls.key_file) },
        },
  withStreams: withTopicOfStreams,
  partitioned: true,
  clientName: ({ intake }, worker) => (intake === undefined ? undefined : clientIdOf({}, worker)),
  leavesClaims: ({ intake }) => intake !== undefined,
  knowsMembers: true,
  check: 'webhook',
  load: () => import('./module.ts'),
};
