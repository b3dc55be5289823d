import { silentLogger } from '@aorta/runtime';
import type { KafkaConnection } from './client.ts';
import { openKafka } from './kafkajs/open.ts';

/** Makes the member with this name leave the groups at once, so that the others need not wait for the end of its session. */
export async function dismiss(connection: KafkaConnection, groups: readonly string[], member: string): Promise<void> {
  await using client = openKafka(connection, { logger: silentLogger });
  for (const group of groups) await client.admin.dismiss(group, member);
}
