import { silentLogger } from '@aorta/runtime';
import type { KafkaConnection } from './client.ts';
import { openKafka } from './kafkajs/open.ts';

/** Makes the member with this name leave the groups at once, so that the others need not wait for the end of its session. */
export async function dismiss(connection: KafkaConnection, groups: readonly string[], member: string): Promise<void> {
  const client = openKafka(connection, { logger: silentLogger });
  try {
    for (const group of groups) await client.admin.dismiss(group, member);
  } finally {
    await client.close();
  }
}
