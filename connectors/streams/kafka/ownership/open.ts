import { silentLogger } from '@aorta/runtime';
import type { Ownership } from '../../../ownership.ts';
import { type KafkaStreamsSettings, streamsConnection } from '../options.ts';
import { type GroupOwnershipOptions, ownByGroup } from './by-group.ts';

export interface KafkaOwnershipOpening extends Omit<GroupOwnershipOptions, 'client' | 'prefix'> {
  readonly settings: KafkaStreamsSettings;
  readonly clientId: string;
}

/** Like {@link ownByGroup}, but opens its own connection. Closing the ownership also closes the connection. */
export async function openKafkaOwnership({ settings, clientId, ...options }: KafkaOwnershipOpening): Promise<Ownership> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
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
