import { silentLogger } from '@aorta/runtime';
import type { Ownership } from '../../../ownership.ts';
import { type KafkaStreamsSettings, streamsConnection } from '../options.ts';
import { type GroupOwnershipOptions, ownByGroup } from './by-group.ts';

export interface KafkaOwnershipOpening extends Omit<GroupOwnershipOptions, 'client' | 'prefix'> {
  readonly settings: KafkaStreamsSettings;
  /** As others see this process. */
  readonly clientId: string;
}

/** {@link ownByGroup} with a connection of its own, which ends with it. */
export async function openKafkaOwnership({ settings, clientId, ...options }: KafkaOwnershipOpening): Promise<Ownership> {
  // Loaded by those alone who have topics.
  const { openKafka } = await import('../../../kafka-client/index.ts');
  await using opening = new AsyncDisposableStack();
  const client = opening.use(openKafka(streamsConnection(settings, clientId), { logger: silentLogger }));
  const ownership = await ownByGroup({ ...options, client, prefix: settings.prefix });
  const connection = opening.move();
  return {
    owned: () => ownership.owned(),
    close: async () => {
      await ownership.close();
      await connection.disposeAsync();
    },
  };
}
