import { join } from 'node:path';
import { openKafka } from '../../../../connectors/kafka/client/open.ts';
import { settingsFor } from '../../../../connectors/kafka/source/kafka.fixture.ts';
import { KafkaSource } from '../../../../connectors/kafka/source/source.ts';
import { openLocalLog } from '../../../../connectors/log/local-log.ts';
import { consume } from '../../../../pipelines/ingestion/consumer.ts';
import { readAnything } from '../../../../pipelines/ingestion/read-anything.fixture.ts';
import { openRedeliveryWindow } from '../../../../pipelines/ingestion/redelivery-window/history.ts';
import type { WorkerSettings } from './killable-worker.ts';

const { brokers, topic, group, folder } = JSON.parse(process.argv[2]!) as WorkerSettings;
const log = await openLocalLog({ folder });
const window = await openRedeliveryWindow({
  folder: join(folder, 'window'),
  log,
  limits: { offsets: 0, bytes: 2 ** 28, hours: 48 },
});
const settings = settingsFor(brokers, { topics: [topic], consumer_group: group });
const source = new KafkaSource({ settings, open: openKafka, window: 0 });
// The worker is slow, so that the test can kill it before it finishes.
const pace = { flushDeliveries: 100 };
const ready = () => new Promise<void>((resolve) => setTimeout(resolve, 50));
await consume(source, log, { window, read: readAnything, pace, ready });
