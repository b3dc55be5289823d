import { partitionName } from '../../stream-log.ts';
import type { LogStorage } from '../../streams/conformance.fixture.ts';
import type { KafkaClient } from '../client/client.ts';
import { openKafkaLog } from './kafka-log.ts';
import type { KafkaStreamsSettings } from './options.ts';
import { GROUP_OF_TESTS } from './settings.fixture.ts';
import { applyTopics } from './topics.ts';

/** Creates the topics of a log for the conformance suite. `cluster` implements the parts that differ between clusters. */
export async function topicsPlace(
  client: KafkaClient,
  settings: KafkaStreamsSettings,
  cluster: Pick<LogStorage, 'remake' | 'refuse'>,
): Promise<LogStorage> {
  await applyTopics(client.admin, settings);
  const carried: LogStorage['carried'] = new Map();
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
    remove: () => client.close(),
    ...cluster,
  };
}
