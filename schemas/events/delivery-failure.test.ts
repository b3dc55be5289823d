import { expect, test } from 'vitest';
import type { Receipt } from '../streams/streams.generated.ts';
import { readEvent } from './read-event.ts';

const receipt: Receipt = {
  source: 's',
  partition: '0',
  offset: 7,
  received_at: 1,
  delivery_id: null,
  header_facts: 0,
  body_bytes: 2,
  body_crc32: 3,
  arrived_at: null,
};
const type = 'message.attempt.exhausted';
const data = {
  appId: 'app_1',
  appUid: 'team-1',
  endpointId: 'ep_1',
  msgId: 'msg_1',
  msgEventId: 'evt-1',
  lastAttempt: { id: 'atmpt_1', responseStatusCode: 503, timestamp: '2026-03-29T10:00:00.5Z' },
};

test('a delivery failure is read even if it has neither a user nor a team', () => {
  expect(readEvent('delivery_failures', type, { type, data }, receipt)).toMatchObject({
    kind: 'record',
    record: {
      event: { event_type: type, user_id: '', team_id: null },
      message_id: 'msg_1',
      message_event_id: 'evt-1',
      endpoint_id: 'ep_1',
      app_id: 'app_1',
      app_uid: 'team-1',
      last_attempt_id: 'atmpt_1',
      last_attempt_at: Date.UTC(2026, 2, 29, 10) * 1000 + 500_000,
      last_attempt_status_code: 503,
      extra: null,
    },
    refused: [],
  });
});

test('a delivery failure in the usual envelope keeps its user, and the extra column keeps unknown members', () => {
  const body = { event_type: type, user_id: 'u', team_id: 't', data: { ...data, lastAttempt: { id: 5, url: 'x' } } };
  expect(readEvent('delivery_failures', type, body, receipt)).toMatchObject({
    record: {
      event: { user_id: 'u', team_id: 't' },
      last_attempt_id: null,
      extra: '{"data.lastAttempt.id":5,"data.lastAttempt.url":"x"}',
    },
    refused: [{ place: 'data.lastAttempt.id' }],
  });
});

test.each([
  [{ type }, 'no_data'],
  [{ type, data, user_id: 5 }, 'no_user_id'],
])('the delivery failure %j is refused with %s', (body, reason) => {
  expect(readEvent('delivery_failures', type, body, receipt)).toMatchObject({ kind: 'refused', reason });
});
