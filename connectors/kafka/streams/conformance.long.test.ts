import { randomUUID } from 'node:crypto';
import { deleteTopic, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { afterAll, beforeAll, describe } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { streamLogConformance } from '../../streams/conformance.fixture.ts';
import { topicOf } from '../../streams/topic-names.ts';
import { openKafka } from '../client/open.ts';
import { streamsConnection } from './options.ts';
import { settingsOf } from './settings.fixture.ts';
import { declaredTopics } from './topics.ts';
import { topicsPlace } from './topics-place.fixture.ts';

const problem = await whyNoBroker();

describe.skipIf(problem !== undefined)('a Kafka stream log on a real broker', () => {
  let broker: Awaited<ReturnType<typeof provideBroker>>;
  beforeAll(async () => {
    broker = await provideBroker();
  });
  afterAll(() => broker.stop());

  streamLogConformance(
    'topics',
    async () => {
      const settings = settingsOf({ brokers: [...broker.brokers], partitions: 2, prefix: `${randomUUID()}.` });
      const client = openKafka(streamsConnection(settings, 'test'), { logger: silentLogger });
      return topicsPlace(client, settings, {
        remake: async (stream) => {
          const topic = topicOf(settings, stream);
          await deleteTopic(broker.brokers[0]!, topic);
          await until('the new topic', () => client.admin.create(declaredTopics(settings).find((one) => one.topic === topic)!));
        },
      });
    },
    { refuses: false },
  );
});
