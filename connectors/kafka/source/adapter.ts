import { resolve } from 'node:path';
import type { SourceAdapter } from '../../source.ts';
import { clientIdOf } from './cluster.ts';
import { kafkaSourceErrors } from './errors.ts';
import { type KafkaSettings, kafkaSourceOptions, topicsOf } from './options.ts';

export const kafka: SourceAdapter<KafkaSettings> = {
  type: 'kafka',
  errors: kafkaSourceErrors,
  options: kafkaSourceOptions,
  placesName: 'topics',
  places: (settings) => topicsOf(settings).map((topic) => (typeof topic === 'string' ? topic : `/${settings.topics_regex}/`)),
  resolvePaths: (settings, folder) => ({ ...settings, tls: resolveCertificates(settings.tls, folder) }),
  partitioned: true,
  // A crashed worker is removed from the group by its client id. If workers shared a client id, live ones would be removed too.
  clientName: (settings, worker) => (settings.client_id === undefined ? clientIdOf(settings, worker) : undefined),
  leavesClaims: ({ client_id }) => client_id === undefined,
  knowsMembers: true,
  check: 'kafka',
  load: () => import('./module.ts'),
};

function resolveCertificates(tls: KafkaSettings['tls'], folder: string): KafkaSettings['tls'] {
  if (typeof tls === 'boolean') return tls;
  const files = (['ca_file', 'cert_file', 'key_file'] as const).flatMap((name) => {
    const file = tls[name];
    return file === undefined ? [] : [[name, resolve(folder, file)]];
  });
  return { ...tls, ...Object.fromEntries(files) };
}
