import { AortaError } from '@aorta/telemetry';
import { partitionName } from '../log.ts';
import { type LogPlace, streamLogConformance } from '../testing/conformance.fixture.ts';
import { openKafkaLog } from './kafka-log.ts';
import { MemoryKafka } from './testing/memory-kafka.fixture.ts';
import { GROUP_OF_TESTS, settingsOf } from './testing/settings.fixture.ts';
import { applyTopics, declaredTopics } from './topics.ts';

// In memory, to be quick; `conformance.long.test.ts` is the same on a real broker.
streamLogConformance('topics in memory', async () => {
  const kafka = new MemoryKafka();
  const client = kafka.client();
  const settings = settingsOf({ partitions: 3 });
  await applyTopics(client.admin, settings);
  const carried: LogPlace['carried'] = new Map();
  return {
    carried,
    group: GROUP_OF_TESTS,
    open: () =>
      openKafkaLog({
        client,
        settings,
        append: true,
        read: { group: GROUP_OF_TESTS, carried: (of) => carried.get(partitionName(of)), onNews: () => {} },
      }),
    remake: async (stream) =>
      kafka.create(declaredTopics(settings).find(({ topic }) => topic === `${settings.prefix}${stream}`)!),
    refuse: (refused) => {
      kafka.beforeProduce = async () => {
        if (refused) throw new AortaError('AORTA-BUG', { place: 'the test', problem: 'refused' });
      };
    },
    remove: () => client.close(),
  };
});
