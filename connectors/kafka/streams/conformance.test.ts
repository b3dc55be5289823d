import { AortaError } from '@aorta/runtime';
import { streamLogConformance } from '../../streams/conformance.fixture.ts';
import { MemoryKafka } from './memory-kafka.fixture.ts';
import { settingsOf } from './settings.fixture.ts';
import { declaredTopics } from './topics.ts';
import { topicsPlace } from './topics-place.fixture.ts';

// Uses topics in memory, which are fast. In the campaign, `conformance.long.test.ts` runs the same suite on a real broker.
streamLogConformance('topics in memory', () => {
  const kafka = new MemoryKafka();
  const settings = settingsOf({ partitions: 3 });
  return topicsPlace(kafka.client(), settings, {
    remake: async (stream) =>
      kafka.create(declaredTopics(settings).find(({ topic }) => topic === `${settings.prefix}${stream}`)!),
    refuse: (refused) => {
      kafka.beforeProduce = async () => {
        if (refused) throw new AortaError('AORTA-BUG', { place: 'the test', problem: 'refused' });
      };
    },
  });
});
