import { silentLogger } from '@aorta/runtime';
import type { StreamLog } from '../../stream-log.ts';
import { type KafkaLogOptions, openKafkaLog } from './kafka-log.ts';
import { streamsConnection } from './options.ts';

export interface KafkaStreamsOpening extends Omit<KafkaLogOptions, 'client'> {
  readonly clientId: string;
}

/** Like {@link openKafkaLog}, but opens its own connection. Closing the log also closes the connection. */
export async function openKafkaStreams({ clientId, ...options }: KafkaStreamsOpening): Promise<StreamLog> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
  const { openKafka } = await import('../../kafka-client/open.ts');
  await using opening = new AsyncDisposableStack();
  const { settings, logger = silentLogger } = options;
  const client = opening.use(openKafka(streamsConnection(settings, clientId), { logger }));
  const log = await openKafkaLog({ ...options, client });
  const close = log.close.bind(log);
  const connection = opening.move();
  log.close = async () => {
    await close();
    await connection.disposeAsync();
  };
  return log;
}
