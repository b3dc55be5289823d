import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPipeline } from 'aorta';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryOfRecord } from '../../connectors/kafka/source/delivery-of-record.ts';
import type { Source } from '../../connectors/source.ts';
import { aorta } from '../faults/command-line.ts';

let folder: string;
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-tombstones-'));
  const values = [null, Buffer.alloc(0), Buffer.from('no JSON')];
  const deliveries = values.map((value, offset) =>
    deliveryOfRecord('kafka', 'events/0', {
      offset,
      timestamp: Date.parse('2026-03-31T06:00:00Z'),
      key: Buffer.from('u-1'),
      value,
      headers: [['event-type', Buffer.from('daily.data.sleep.created')]],
    }),
  );
  const source: Source<number> = {
    name: 'kafka',
    async *batches() {
      yield { deliveries, position: deliveries.length };
    },
    async commit() {},
  };
  const pipeline = createPipeline({ folder, data: 'data', configuration: {}, sources: [{ name: 'kafka', open: () => source }] });
  const { report } = await pipeline.run({ once: true });
  expect(report).toMatchObject({ received: 3, dead_letters: { tombstone: 1, not_json: 2 } });
});

const dlq = async (...words: string[]) => {
  const { code, out, err } = await aorta(folder, ['dlq', ...words, '--data', 'data']);
  expect([code, err]).toEqual([0, '']);
  return out;
};

const isTombstone =
  /This is a tombstone: it marks its key as deleted.* Aorta deletes nothing\. If the producer .* send it again\./;

test('`dlq show` says that a record without a value is a tombstone, what that means, and what to do', async () => {
  const out = await dlq('show', 'kafka/events/0/0');
  expect(out).toMatch(isTombstone);
  expect(out).toMatch(/^reason +tombstone: /m);
  expect(out).toMatch(/^body +none$/m);
  expect(JSON.parse(await dlq('show', 'kafka/events/0/0', '--json'))).toMatchObject({
    reason: 'tombstone',
    bytes: 0,
    meaning: expect.stringMatching(isTombstone),
  });
  expect(await dlq('show', 'kafka/events/0/0', '--body')).toBe('');
});

test('`dlq show` does not call an empty value a tombstone', async () => {
  const out = await dlq('show', 'kafka/events/0/1');
  expect(out).toMatch(/^reason +not_json: /m);
  expect(out).toMatch(/^body +0 B as received$/m);
  expect(`${out}${await dlq('show', 'kafka/events/0/1', '--json')}`).not.toContain('tombstone');
});

test('`dlq list` counts tombstones as a reason of their own, and can list only them', async () => {
  const out = await dlq('list');
  expect(out).toMatch(/^tombstone +1 {2}.*tombstone/m);
  expect(out).toMatch(/^not_json +2 /m);
  const listed = JSON.parse(await dlq('list', '--reason', 'tombstone', '--json')) as unknown[];
  expect(listed).toMatchObject([{ position: 'kafka/events/0/0', reason: 'tombstone', event_type: 'daily.data.sleep.created' }]);
});
