import { silentLogger } from '@aorta/runtime';
import { expect, test } from 'vitest';
import type { KafkaClient, ProducedRecord } from '../client/client.ts';
import { DeadLetterTopic, deadLetterRecord } from './dead-letter-topic.ts';

const record = {
  offset: 5,
  timestamp: 1_700_000_000_123,
  key: Buffer.from('k'),
  value: Buffer.from([0xff]),
  headers: [
    ['A', Buffer.from('1')],
    ['a', null],
    ['A', Buffer.from([0xa1, 1, 0x78])],
  ] as const,
};
const letter = {
  error_headers: { '__connect.errors.topic': 'kafka', '__connect.errors.partition': 't/3', '__connect.errors.offset': '5' },
};
const from = { topic: 't', partition: 3 };

test('a copy keeps the record unchanged and adds headers with its origin', () => {
  const { headers, ...rest } = deadLetterRecord(from, record, letter);
  expect(rest).toEqual({ key: record.key, value: record.value });
  expect(headers!.slice(0, 3)).toEqual(record.headers);
  expect(headers!.slice(3).map(([name, value]) => [name, String(value)])).toEqual([
    ['__connect.errors.topic', 't'],
    ['__connect.errors.partition', '3'],
    ['__connect.errors.offset', '5'],
  ]);
});

function clientWith(produce: (record: ProducedRecord) => Promise<number>): KafkaClient {
  const producer = { produce: (_: unknown, [one]: readonly ProducedRecord[]) => produce(one!), close: async () => {} };
  return { admin: { partitions: async () => 2 }, producer: async () => producer } as unknown as KafkaClient;
}

test('failed writes are retried until the signal aborts, and opening a missing topic fails', async () => {
  const written: ProducedRecord[] = [];
  let failures = 1;
  const signal = new AbortController().signal;
  const topic = await DeadLetterTopic.open(
    clientWith(async (one) => {
      if (failures-- > 0) throw new RangeError('away');
      return written.push(one);
    }),
    'dead',
    silentLogger,
  );
  topic.add(from, record, letter);
  topic.add({ topic: 't', partition: 1 }, { ...record, offset: 6 }, letter);
  await topic.write(signal);
  expect(written).toHaveLength(2);
  await topic.write(signal);
  expect(written).toHaveLength(2);

  const never = await DeadLetterTopic.open(
    clientWith(() => Promise.reject(new RangeError('away'))),
    'dead',
    silentLogger,
  );
  never.add(from, record, letter);
  await expect(never.write(AbortSignal.abort())).rejects.toThrow();
  const missing = { admin: { partitions: async () => undefined } } as unknown as KafkaClient;
  await expect(DeadLetterTopic.open(missing, 'dead', silentLogger)).rejects.toMatchObject({ code: 'AORTA-KAFKA-TOPIC-MISSING' });
});
