import { hubsOf } from '@aorta/consumers';
import { GROUP, MERGES, mergerId } from '@aorta/jobs';
import type { KafkaConnection } from '@aorta/kafka-client';
import { groupOf, streamsConnection } from '@aorta/streams';
import { silentLogger } from '@aorta/telemetry';
import type { Setting } from './configuration/configuration.ts';
import { fetchingGroups } from './fetching.ts';
import { checkpointsFolder } from './sources.ts';
import { clientIdOf } from './supervision/worker-name.ts';
import { INGESTION } from './workers/ingestion-group.ts';

/** A working process that crashed: its name among the workers, and its number. */
export interface CrashedWorker {
  readonly worker: string;
  readonly pid: number;
}

/**
 * Gives free the partitions that a crashed process has, in all sources of the configuration and in the topics of streams:
 * it cannot do so itself, and others need not wait for the expiry. Rejects where a store or a cluster cannot be reached,
 * after the others were tried.
 */
export async function giveFree(crashed: CrashedWorker, setting: Setting): Promise<void> {
  const tried = await Promise.allSettled([hubs(crashed, setting), topics(crashed, setting), streams(crashed, setting)]);
  for (const one of tried) if (one.status === 'rejected') throw one.reason;
}

async function hubs({ worker }: CrashedWorker, { configuration, place }: Setting): Promise<void> {
  for (const settings of configuration.sources) {
    // In files, the claims of a process that has ended are nobody's anyway.
    if (settings.type !== 'event-hubs' || settings.checkpoints.type === 'file') continue;
    const { openCheckpoints, openNamespace, releaseClaims } = await import('@aorta/consumers/event-hubs');
    const store = await openCheckpoints(settings, checkpointsFolder(place.streams, settings.name), worker);
    const { host, group } = await openNamespace(settings, worker);
    for (const hub of hubsOf(settings)) {
      await releaseClaims(store, { fullyQualifiedNamespace: host, eventHubName: hub, consumerGroup: group }, worker);
    }
  }
}

async function topics({ worker }: CrashedWorker, { configuration }: Setting): Promise<void> {
  for (const settings of configuration.sources) {
    // Workers that share a name cannot be told apart, and those who live are to stay.
    if (settings.type !== 'kafka' || settings.client_id !== undefined) continue;
    const { clientIdOf: nameOf, connectionOf } = await import('@aorta/consumers/kafka');
    await dismiss(await connectionOf(settings), [settings.consumer_group], nameOf(settings, worker));
  }
}

async function streams({ pid }: CrashedWorker, { configuration }: Setting): Promise<void> {
  const settings = configuration.streams;
  if (settings.type !== 'kafka') return;
  const connection = streamsConnection(settings, clientIdOf('jobs'));
  const member = clientIdOf('jobs', pid);
  await dismiss(connection, [groupOf(settings, GROUP)], member);
  await dismiss(connection, [groupOf(settings, INGESTION)], clientIdOf('consumers', pid));
  // Nobody is given a share of the merges before it has left there, too.
  if (isShared(configuration.warehouse)) await dismiss(connection, [groupOf(settings, MERGES)], mergerId(member));
  if (configuration.service === undefined && configuration.historical_pulls === undefined) return;
  const groups = fetchingGroups.map((group) => groupOf(settings, group));
  await dismiss(connection, groups, clientIdOf('fetching', pid));
}

const isShared = (warehouse: Setting['configuration']['warehouse']): boolean =>
  warehouse.type === 'bigquery' && warehouse.workers > 1;

async function dismiss(connection: KafkaConnection, groups: readonly string[], member: string): Promise<void> {
  const { openKafka } = await import('@aorta/kafka-client');
  const client = openKafka(connection, { logger: silentLogger });
  try {
    for (const group of groups) await client.admin.dismiss(group, member);
  } finally {
    await client.close();
  }
}
