import { randomUUID } from 'node:crypto';
import { silentLogger } from '@aorta/runtime';
import { type StreamName, streamNames } from '@aorta/schemas';
import type { ReadBatch, StreamLog, StreamPartition } from '../../stream-log.ts';
import type { StreamsView } from '../../stream-log-adapter.ts';
import { TopicError } from './errors.ts';
import { formOf } from './kafka-log.ts';
import { type KafkaStreamsSettings, streamsConnection } from './options.ts';
import { Register } from './register.ts';
import { TopicReader } from './topic-reader.ts';
import { registerTopic, topicOf } from './topics.ts';

export interface TopicsViewOptions {
  readonly settings: KafkaStreamsSettings;
  readonly clientId: string;
  /** Default: all streams. */
  readonly streams?: readonly StreamName[];
  /** Returns the start position for a partition with these bounds. Default: the start of the partition. */
  readonly from?: (low: number, end: number) => number;
}

/** Maximum time, in milliseconds, that a read waits for records that exist but have not arrived. */
const PATIENCE_MS = 30_000;

/** Opens a view of the topics. The view uses a temporary consumer group, so it does not affect other readers. Rejects with the same errors as opening the log. */
export async function openTopicsView({
  settings,
  clientId,
  streams = streamNames,
  from,
}: TopicsViewOptions): Promise<StreamsView> {
  // Imported here, so that the Kafka client is loaded only when it is needed.
  const { openKafka } = await import('../../kafka-client/index.ts');
  await using opening = new AsyncDisposableStack();
  const client = opening.use(openKafka(streamsConnection(settings, clientId), { logger: silentLogger }));
  let wake: () => void = () => {};
  const topics = new Map(streams.map((stream) => [stream, topicOf(settings, stream)]));
  const register = opening.use(await Register.open(client, registerTopic(settings), settings.prefix, silentLogger));
  const reading = opening.use(
    await TopicReader.open({
      client,
      form: formOf(settings, topics, register),
      group: 'look',
      groupId: `${settings.prefix}_look.${randomUUID()}`,
      streams: new Map([...topics].map(([stream, topic]) => [topic, stream])),
      incarnation: (topic) => register.incarnation(topic),
      carried: () => undefined,
      ...(from === undefined ? {} : { begin: from }),
      onNews: () => wake(),
      bufferBytes: settings.buffer_bytes,
      overtaken: 'stop',
      logger: silentLogger,
    }),
  );
  const read: StreamLog['read'] = async <S extends StreamName>(
    of: StreamPartition<S>,
    position: number,
    limit: { records: number; bytes: number },
  ): Promise<ReadBatch<S>> => {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const batch = await reading.read(of, position, limit);
      if (batch.to > position || position >= reading.end(of)) return batch;
      if (performance.now() > until)
        throw new TopicError('AORTA-STREAM-SILENT', { topic: topicOf(settings, of.stream), seconds: PATIENCE_MS / 1000 });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const opened = opening.move();
  return {
    assigned: () => reading.assigned(),
    start: (of) => reading.start(of),
    end: (of) => reading.end(of),
    read,
    groups: () => [],
    committed: () => undefined,
    look: () => reading.look(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
