import { setTimeout as sleep } from 'node:timers/promises';
import { openKafka } from '@aorta/connectors/kafka/client';
import { silentLogger } from '@aorta/runtime';
import { PARTITIONS, summary } from './summaries.ts';

/** Sends summaries at a constant rate, each with the time when it is sent: `node sending.process.ts BROKER TOPIC RATE TOTAL`. */
const [broker, topic, rate, total] = process.argv.slice(2);
const client = openKafka({ brokers: [broker!], clientId: 'sender' }, { logger: silentLogger });
const producer = await client.producer({});
const begun = performance.now();
const sending: Promise<number>[] = [];
let sent = 0;
for (let call = 0; sent < Number(total); call++) {
  const from = sent;
  sent = Math.min(Number(total), Math.ceil(((performance.now() - begun) * Number(rate)) / 1000));
  const records = Array.from({ length: sent - from }, (_, index) => {
    const { headers, ...record } = summary(from + index);
    return { ...record, headers: [...headers, ['sent-at', Buffer.from(String(Date.now()))] as const] };
  });
  if (records.length > 0) sending.push(producer.produce({ topic: topic!, partition: call % PARTITIONS }, records));
  await sleep(10);
}
await Promise.all(sending);
await client.close();
