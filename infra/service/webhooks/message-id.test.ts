import { expect, test } from 'vitest';
import { messageId } from './message-id.ts';

test('the example of the KSUID specification has its time', () => {
  // 0ujtsYcgvSTl8PAuAdqWYSMnLOv was created at 2017-10-10T04:00:47Z. The first digits carry the time.
  expect(messageId(Date.parse('2017-10-10T04:00:47Z'), 'x')).toMatch(/^msg_0ujts[0-9A-Za-z]{22}$/);
});

test('ids are equal for the same name and time, differ otherwise, and sort by time', () => {
  const at = Date.UTC(2026, 0, 1);
  expect(messageId(at, '1')).toBe(messageId(at, '1'));
  expect(messageId(at, '1')).not.toBe(messageId(at, '2'));
  const ids = [0, 1, 60, 86_400, 10_000_000].map((second) => messageId(at + second * 1000, String(second)));
  expect(ids.toSorted()).toEqual(ids);
});
