import { silentLogger } from '@aorta/runtime';
import type { KafkaConnection } from './client.ts';
import { openKafka } from './kafkajs/open.ts';

/** Removes the members with this client id from the groups, so that the other members need not wait for their sessions to expire. */
export async function dismiss(connection: KafkaConnection, groups: readonly string[], member: string): Promise<void> {
  await using client = openKafka(connection, { logger: silentLogger });
  for (const group of groups) await client.admin.dismiss(group, member);
}
