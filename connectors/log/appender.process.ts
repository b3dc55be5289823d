import { AortaError } from '@aorta/runtime';
import { partitionOf } from '../stream-log.ts';
import { openLocalLog } from './local-log.ts';

/**
 * Appends numbered records to two streams and flushes every few records. After each flush it prints the number of records that
 * are durable in each stream: `<count>`. It runs until it is killed. If the disk refuses a write, it prints the error's code and
 * ends.
 *
 * Arguments: folder, blockBytes, segmentBytes.
 */
const [folder = '', blockBytes = '0', segmentBytes = '0'] = process.argv.slice(2);
// This file defines its own records, because records.fixture.ts imports vitest, which cannot run here.
const record = (number: number) => ({
  receipt: {
    source: 'hub',
    partition: '0',
    offset: number,
    received_at: number,
    delivery_id: null,
    header_facts: 3,
    body_bytes: 1,
    body_crc32: 1,
    arrived_at: null,
  },
  event_type: null,
  team_id: null,
  user_id: null,
  reader: 1,
  headers: {},
  key: null,
  body: Buffer.alloc((number * 7919) % 3000, number % 251),
});
const log = await openLocalLog({ folder, blockBytes: Number(blockBytes), segmentBytes: Number(segmentBytes) });
let number = log.end(partitionOf('unrouted'));
try {
  for (;;) {
    const until = number + 1 + ((number * 31) % 200);
    for (; number < until; number += 1) {
      log.append('unrouted', record(number));
      log.append('redelivered', record(number));
    }
    await log.flush();
    process.stdout.write(`${number}\n`);
  }
} catch (error) {
  process.stdout.write(`${error instanceof AortaError ? `${error.code} ${error.details.code}` : 'another error'}\n`);
}
