import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { isAortaError } from '@aorta/runtime';
import { EventHubConsumerClient, EventHubProducerClient } from '@azure/event-hubs';
import { BlobServiceClient } from '@azure/storage-blob';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EventHubsSettings, eventHubsSourceOptions } from '../../connectors/event-hubs/options.ts';
import { EventHubsSource } from '../../connectors/event-hubs/source.ts';
import { type Collected, collect } from '../../connectors/sources/collected.fixture.ts';
import { inTime, until } from '../../infra/machine/waiting.fixture.ts';

/** A namespace and a storage account, which may hold events and checkpoints of other programs. */
export interface Peer {
  /** Connection string of the namespace, with the rights Send and Listen. */
  readonly connection: string;
  readonly hub: string;
  readonly group: string;
  /** Connection string of the storage account. */
  readonly storage: string;
  /** Container for the checkpoints. The suite creates the container if it does not exist. */
  readonly container: string;
}

/** Maximum time between the receipt of an event and the receipt of the newest event of a partition, in milliseconds. */
const APART_MS = 600_000;

/** Tests the consumer with events that the suite sends, on local servers (`npm test`) or in a real namespace (`npm run real`). */
export function eventHubsSuite(peerOf: () => Peer): void {
  describe('the consumer of Event Hubs, with checkpoints in blobs', () => {
    const name = randomUUID();
    const running: Collected[] = [];
    let peer: Peer;
    let partitions: string[];
    /** The worker skips events that are older than this. Other programs may have sent them. */
    let began: string;

    beforeAll(async () => {
      peer = peerOf();
      await BlobServiceClient.fromConnectionString(peer.storage).getContainerClient(peer.container).createIfNotExists();
      const client = new EventHubConsumerClient(peer.group, peer.connection, peer.hub);
      partitions = await client.getPartitionIds();
      await client.close();
      began = new Date(Math.max(0, await newestAt())).toISOString();
    });
    afterAll(async () => {
      await Promise.all(running.map((one) => one.stop()));
    });

    /** Returns when the hub received its newest event, in milliseconds since 1970, by the hub's clock. */
    async function newestAt(): Promise<number> {
      const client = new EventHubConsumerClient(peer.group, peer.connection, peer.hub);
      const properties = await Promise.all(partitions.map((partition) => client.getPartitionProperties(partition)));
      await client.close();
      return Math.max(...properties.map(({ lastEnqueuedOnUtc }) => lastEnqueuedOnUtc.getTime()));
    }

    const settings = (parts: Partial<EventHubsSettings> = {}): EventHubsSettings => ({
      ...eventHubsSourceOptions.parse({
        type: 'event-hubs',
        connection: peer.connection,
        hubs: [peer.hub],
        consumer_group: peer.group,
        start_position: began,
        checkpoints: { type: 'blob', container: peer.container, connection: peer.storage },
      }),
      ...parts,
    });

    function reading(worker: string, parts?: Partial<EventHubsSettings>): Collected {
      const collected = collect(
        new EventHubsSource({ settings: settings(parts), folder: '', window: 0, worker: `${worker}-${name}` }),
      );
      running.push(collected);
      return collected;
    }

    const keyOf = (number: number): string => `${name}/${number}`;
    const bodyOf = (number: number): Buffer =>
      Buffer.from(JSON.stringify({ number, text: 'x'.repeat(number % 3 === 0 ? 2000 : 20) }));

    /** Sends the events with the numbers [from, to) to all partitions in turn. Large events are gzipped. */
    async function publish(from: number, to: number): Promise<void> {
      const producer = new EventHubProducerClient(peer.connection, peer.hub);
      for (let number = from; number < to; number++) {
        const body = bodyOf(number);
        const gzip = body.length > 1024;
        const properties = { 'event-type': 'aorta.real', 'user-id': name, 'idempotency-key': keyOf(number) };
        const event = gzip
          ? { body: gzipSync(body), properties: { ...properties, 'content-encoding': 'gzip' } }
          : { body, properties };
        await producer.sendBatch([event], { partitionId: partitions[number % partitions.length]! });
      }
      await producer.close();
    }

    const own = ({ deliveries }: Collected) => deliveries.filter(({ headers }) => headers.get('user-id') === name);
    const keys = (collected: Collected) => own(collected).map(({ headers }) => headers.get('idempotency-key'));
    const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => keyOf(from + index));

    test('every event is delivered once, unchanged, in the order of its partition', async () => {
      await publish(0, 60);
      const one = reading('a');
      await until(
        'all events',
        () => own(one).length,
        (count) => count >= 60,
      );
      expect(keys(one).toSorted()).toEqual(numbers(0, 60).toSorted());
      const newest = await newestAt();
      for (const { headers, body, receivedAt, offset, partition } of own(one)) {
        const number = Number(String(headers.get('idempotency-key')).split('/')[1]);
        expect(headers.get('event-type')).toBe('aorta.real');
        expect(partition).toBe(`${peer.hub.toLowerCase()}/${partitions[number % partitions.length]}`);
        expect(body.equals(headers.has('content-encoding') ? gzipSync(bodyOf(number)) : bodyOf(number))).toBe(true);
        expect(Math.abs(receivedAt / 1000 - newest)).toBeLessThan(APART_MS);
        expect(offset).toBeGreaterThanOrEqual(0);
      }
      for (const of of Map.groupBy(own(one), ({ partition }) => partition).values())
        expect(of.map(({ offset }) => offset)).toEqual(of.map(({ offset }) => offset).toSorted((a, b) => a - b));
      await one.stop();
      expect(one.error).toBeUndefined();
    });

    test('the next worker begins at the checkpoints', async () => {
      await publish(60, 70);
      const one = reading('b');
      await until(
        'the later events',
        () => own(one).length,
        (count) => count >= 10,
      );
      expect(keys(one).toSorted()).toEqual(numbers(60, 70).toSorted());
      await one.stop();
    });

    test('two workers share the partitions, and one takes over when the other stops', async () => {
      const [a, b] = [reading('c'), reading('d')];
      await publish(70, 100);
      const seen = () => new Set([...keys(a), ...keys(b)]);
      await until('all events, by either', () => seen().size, 30);
      await a.stop();
      await publish(100, 130);
      await until('all events, by the remaining worker', () => seen().size, 60);
      expect([a.error, b.error]).toEqual([undefined, undefined]);
      await b.stop();
    });

    test.each([
      [
        'a wrong key',
        () => ({ connection: peer.connection.replace(/SharedAccessKey=[^;]+/, 'SharedAccessKey=d3Jvbmc=') }),
        'REFUSED',
      ],
      ['a missing hub', () => ({ hubs: [`not-${name}`] }), 'MISSING'],
      ['a missing consumer group', () => ({ consumer_group: `not-${name}` }), 'GROUP-MISSING'],
    ])('%s is reported', async (_, parts, code) => {
      const one = reading('e', parts());
      await inTime('the error', one.ended);
      expect(isAortaError(one.error) ? one.error.code : one.error).toBe(`AORTA-HUB-${code}`);
    });
  });
}
