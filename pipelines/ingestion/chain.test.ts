import { gzipSync } from 'node:zlib';
import { AortaError } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import { refusals } from '@aorta/schemas';
import { beforeEach, describe, expect, test } from 'vitest';
import { delivery } from '../../connectors/delivery.fixture.ts';
import type { Delivery } from '../../connectors/source.ts';
import { createChain, type ReadEvent } from './chain.ts';
import { MemoryLog } from './memory-log.fixture.ts';
import { readAnything, readAnythingWith } from './read-anything.fixture.ts';
import type { Sighting } from './redelivery-window/window.ts';
import { createRouter } from './router.ts';
import type { Taken } from './tally.ts';

const TYPE = 'historical.data.sleep.created';
/** Values that must not appear anywhere outside the streams. */
const planted = { 'Ada Lovelace': 'ada@example.org', number: 7.77123 };
const good = { event_type: TYPE, user_id: 'u', team_id: 't', data: planted };

let log: MemoryLog;
let seen: Sighting[];
beforeEach(() => {
  log = new MemoryLog();
  seen = [];
});

function take(one: Delivery, options: { read?: ReadEvent; bodyBytes?: number; verdict?: 'new' | 'redelivered' } = {}): Taken {
  const window = {
    classify: (sighting: Sighting) => {
      seen.push(sighting);
      return options.verdict ?? 'new';
    },
  };
  const { read = readAnything, bodyBytes = 1000 } = options;
  return createChain({ log, window, router: createRouter(), bodyBytes, read })(one);
}

async function records<S extends StreamName>(stream: S): Promise<StreamRecords[S][]> {
  await log.flush();
  return log.all(stream);
}

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('a delivery that is kept', () => {
  test('may be plain, gzipped with or without the header, or preceded by a byte order mark', async () => {
    const forms = [
      delivery({ body: json(good) }),
      delivery({ body: gzipSync(json(good)), headers: { 'content-encoding': 'GZIP' } }),
      delivery({ body: gzipSync(json(good)) }),
      delivery({ body: Buffer.concat([Buffer.from('\uFEFF'), json(good)]) }),
      delivery({ body: json(good), inline: true, headers: { 'content-encoding': 'gzip' } }),
    ];
    for (const form of forms) expect(take(form).outcome).toMatchObject({ kind: 'kept', stream: 'historical_completions' });
    const kept = await records('historical_completions');
    expect(kept).toHaveLength(forms.length);
    // The receipt has the length and the CRC-32 of the uncompressed body, which gzip stores in its trailer.
    for (const index of [0, 1, 2, 4]) {
      expect(kept[index]?.receipt).toMatchObject({ body_bytes: json(good).length, body_crc32: kept[0]?.receipt.body_crc32 });
    }
    expect(await records('dead_letters')).toEqual([]);
  });

  test('has a receipt with the metadata from its headers, even if header values are bytes', async () => {
    const headers = { 'event-type': Buffer.from(TYPE), 'user-id': 'u', 'svix-id': 'd' };
    take(delivery({ offset: 5, partition: 'p', receivedAt: 9, body: json({ user_id: 'u' }), headers }));
    expect((await records('historical_completions'))[0]?.receipt).toMatchObject({
      source: 'hub',
      partition: 'p',
      offset: 5,
      received_at: 9,
      delivery_id: 'd',
      header_facts: 3,
    });
    expect(seen).toMatchObject([{ userId: 'u', eventType: TYPE, deliveryId: 'd' }]);
  });

  test('gets its user from the headers if the body contains none', async () => {
    const bodies: unknown[] = [];
    const read: ReadEvent = (...its) => {
      bodies.push(its[2]);
      return readAnything(...its);
    };
    const headers = { 'user-id': 'v' };
    const { user_id: _user, ...nobody } = good;
    for (const body of [nobody, { ...nobody, user_id: null }]) take(delivery({ body: json(body), headers }), { read });
    take(delivery({ body: json({ ...nobody, user_id: 5 }), headers }), { read });
    take(delivery({ body: json(nobody) }), { read });
    expect(bodies).toEqual([{ ...nobody, user_id: 'v' }, { ...nobody, user_id: 'v' }, { ...nobody, user_id: 5 }, nobody]);
  });

  test('may be an event from the webhook service, whose type is in the property `type`', async () => {
    const failure = { type: 'message.attempt.exhausted', data: planted };
    expect(take(delivery({ body: json(failure) })).outcome).toMatchObject({ kind: 'kept', stream: 'delivery_failures' });
    expect(take(delivery({ body: json({ ...good, type: failure.type }) })).outcome).toMatchObject({
      stream: 'historical_completions',
    });
    expect(take(delivery({ body: json({ type: 'endpoint.disabled', data: planted }) })).outcome).toMatchObject({
      reason: 'no_event_type',
    });
  });

  test('causes one dead letter for all its refused parts, except parts kept in the `extra` column', async () => {
    const refused = [
      { reason: 'value_does_not_fit', place: 'data.a' },
      { reason: 'sample_without_time', place: 'data.data[1]' },
      { reason: 'sample_not_an_object', place: 'data.data[7]' },
    ] as const;
    const read = readAnythingWith(refused);
    const one = delivery({ body: gzipSync(json(good)), headers: { 'event-type': TYPE }, key: Buffer.from('k') });
    expect(take(one, { read }).outcome).toMatchObject({ kind: 'kept', refused });
    expect(await records('historical_completions')).toHaveLength(1);
    expect(await records('dead_letters')).toMatchObject([
      {
        scope: 'part',
        reason: 'sample_without_time',
        stage: 'read',
        places: ['data.data[1]', 'data.data[7]'],
        body: one.body,
        user_id: 'u',
      },
    ]);
  });

  test('causes no dead letter if all its refused parts are kept in the `extra` column', async () => {
    const refused = [{ reason: 'value_does_not_fit', place: 'data.a' }] as const;
    take(delivery({ body: json(good) }), { read: readAnythingWith(refused) });
    expect(await records('dead_letters')).toEqual([]);
  });
});

describe('a delivery that is stored unchanged', () => {
  test('may be a redelivery, and the chain then does not parse its body', async () => {
    const one = delivery({
      body: Buffer.from('not json'),
      key: Buffer.from('k'),
      headers: { 'event-type': TYPE, x: Buffer.from([255]) },
    });
    expect(take(one, { verdict: 'redelivered' }).outcome).toEqual({ kind: 'redelivered' });
    expect(await records('redelivered')).toMatchObject([
      {
        event_type: TYPE,
        user_id: null,
        key: one.key,
        body: one.body,
        headers: { 'event-type': Buffer.from(TYPE), x: Buffer.from([255]) },
      },
    ]);
  });

  test('keeps a header that is named __proto__', () => {
    let headers: Record<string, Buffer> = {};
    log.append = (_stream, record) => {
      headers = (record as StreamRecords['unrouted']).headers;
    };
    take(delivery({ body: json({ event_type: 'x' }), headers: JSON.parse('{"__proto__": "a"}') }));
    expect(Object.entries(headers)).toEqual([['__proto__', Buffer.from('a')]]);
  });

  test('may have an unknown event type', async () => {
    const one = delivery({ body: gzipSync(json({ ...good, event_type: 'labtest.courier.created' })) });
    expect(take(one).outcome).toEqual({ kind: 'unrouted' });
    expect(await records('unrouted')).toMatchObject([
      { event_type: 'labtest.courier.created', user_id: 'u', team_id: 't', body: one.body },
    ]);
  });
});

describe('a delivery that is refused', () => {
  const gzip = { 'content-encoding': 'gzip' };
  const cases: Record<string, { one: Delivery; reason: string; stage: string; places?: string[]; read?: ReadEvent }> = {
    'malformed, but JSON': {
      one: { ...delivery({ body: json(good) }), malformed: true },
      reason: 'not_a_delivery',
      stage: 'receive',
    },
    'a tombstone': {
      one: { ...delivery({ body: Buffer.alloc(0) }), malformed: 'tombstone' },
      reason: 'tombstone',
      stage: 'receive',
    },
    'empty, but not a tombstone': { one: delivery({ body: Buffer.alloc(0) }), reason: 'not_json', stage: 'parse' },
    'marked as gzip, but plain': { one: delivery({ body: json(good), headers: gzip }), reason: 'not_gzip', stage: 'decompress' },
    'empty and marked as gzip': {
      one: delivery({ body: Buffer.alloc(0), headers: gzip }),
      reason: 'not_gzip',
      stage: 'decompress',
    },
    'truncated gzip': {
      one: delivery({ body: gzipSync(json(good)).subarray(0, -9), headers: gzip }),
      reason: 'not_gzip',
      stage: 'decompress',
    },
    'gzip with a wrong checksum': {
      one: delivery({ body: Buffer.concat([gzipSync(json(good)).subarray(0, -8), Buffer.alloc(8)]) }),
      reason: 'not_gzip',
      stage: 'decompress',
    },
    'too large, compressed': {
      one: delivery({ body: gzipSync(Buffer.alloc(1001, 32)) }),
      reason: 'body_too_large',
      stage: 'decompress',
    },
    'too large, plain': { one: delivery({ body: Buffer.alloc(1001, 32) }), reason: 'body_too_large', stage: 'decompress' },
    'not UTF-8': { one: delivery({ body: Buffer.from([0x22, 0xff, 0x22]) }), reason: 'not_utf8', stage: 'parse' },
    'not JSON': { one: delivery({ body: Buffer.from('{"ada@example.org": 7.77123') }), reason: 'not_json', stage: 'parse' },
    empty: { one: delivery({ body: Buffer.alloc(0) }), reason: 'not_json', stage: 'parse' },
    'a number': { one: delivery({ body: json(7.77123) }), reason: 'not_an_event', stage: 'parse' },
    null: { one: delivery({ body: json(null) }), reason: 'not_an_event', stage: 'parse' },
    'an array': { one: delivery({ body: json([good]) }), reason: 'not_an_event', stage: 'parse' },
    'no event type': {
      one: delivery({ body: json({ data: planted }) }),
      reason: 'no_event_type',
      stage: 'route',
      places: ['event_type'],
    },
    'an event type that is not a string': {
      one: delivery({ body: json({ event_type: 7.77123 }) }),
      reason: 'no_event_type',
      stage: 'route',
      places: ['event_type'],
    },
    'two event types': {
      one: delivery({ body: json(good), headers: { 'event-type': 'daily.data.sleep.created' } }),
      reason: 'event_type_disagrees',
      stage: 'route',
      places: ['event_type'],
    },
    'two users': {
      one: delivery({ body: json(good), headers: { 'user-id': 'ada@example.org' } }),
      reason: 'user_disagrees',
      stage: 'route',
      places: ['user_id'],
    },
    'an event that the reader refuses': {
      one: delivery({ body: json(good) }),
      reason: 'no_id',
      stage: 'read',
      places: ['data.id'],
      read: () => ({ kind: 'refused', reason: 'no_id', place: 'data.id' }),
    },
    'a record that the codec refuses': {
      one: delivery({ body: json(good) }),
      reason: 'not_encodable',
      stage: 'encode',
      read: () => ({ kind: 'record', record: planted as never, refused: [] }),
    },
    'a reader that throws': {
      one: delivery({ body: json(good) }),
      reason: 'AORTA-BUG',
      stage: 'read',
      read: (_stream, _type, body) => {
        throw new Error(JSON.stringify(body));
      },
    },
  };
  for (const [name, { one, reason, stage, places = [], read = readAnything }] of Object.entries(cases)) {
    test(`becomes a dead letter: ${name}`, async () => {
      const keyed = { ...one, key: Buffer.from([0, 1]), offset: 17 };
      expect(take(keyed, { read }).outcome).toEqual({ kind: 'dead', reason });
      const letters = await records('dead_letters');
      expect(letters).toMatchObject([{ reason, stage, places, scope: 'whole', body: keyed.body, key: keyed.key }]);
      const [letter] = letters;
      expect(Object.entries(letter!.headers).map(([header, value]) => [header, value.toString()])).toEqual([...keyed.headers]);
      expect(letter!.error_headers).toEqual({
        '__connect.errors.topic': 'hub',
        '__connect.errors.partition': '0',
        '__connect.errors.offset': '17',
        '__connect.errors.connector.name': 'aorta',
        '__connect.errors.task.id': '0',
        '__connect.errors.stage': stage,
        '__connect.errors.class.name': `aorta.ingestion.${stage}`,
        '__connect.errors.exception.class.name': reason,
        '__connect.errors.exception.message':
          refusals[reason as keyof typeof refusals] ?? expect.stringContaining('should not be possible'),
      });
      expect(JSON.stringify([letter!.error_headers, letter!.places, letter!.reason])).not.toMatch(/ada|Ada|7\.77123/);
      // No other stream has a record.
      expect(log.streams()).toEqual(['dead_letters']);
    });
  }

  test('becomes a dead letter with the user from the headers rather than the body', async () => {
    take(delivery({ body: json(good), headers: { 'user-id': 'v', 'event-type': TYPE } }));
    expect(await records('dead_letters')).toMatchObject([
      { user_id: 'v', event_type: TYPE, team_id: 't', receipt: { header_facts: 3 } },
    ]);
  });

  test('does not become a dead letter if the log cannot append at all', () => {
    const full = new AortaError('AORTA-DATA-UNWRITABLE', { path: 'x', code: 'ENOSPC' });
    log.append = () => {
      throw full;
    };
    expect(() => take(delivery({ body: json(good) }))).toThrow(full);
  });
});
