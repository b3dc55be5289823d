import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { builtIn } from '@aorta/connectors/registry';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { GROUP, MERGES, mergerId } from '@aorta/loading/groups';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareKafka, fresh } from '../../connectors/kafka/client/kafka.fixture.ts';
import { inTime } from '../../infra/machine/waiting.fixture.ts';
import type { Setting } from '../../pipelines/aorta/config/configuration.ts';
import { configurationSchema } from '../../pipelines/aorta/config/schema.ts';
import { releaseClaims } from '../../pipelines/aorta/run/claims.ts';
import { INGESTION } from '../../pipelines/aorta/run/ingestion-group.ts';
import { clientIdOf, everything } from '../../pipelines/aorta/run/parts.ts';

/** The supervisor of a killed worker releases the worker's group memberships, so that other workers do not wait for timeouts. */

const problem = await whyNoBroker();
const member = join(import.meta.dirname, '../../connectors/kafka/client/member.process.ts');

describe.skipIf(problem !== undefined)(
  `the claims of a killed worker process${problem === undefined ? '' : ` (${problem.message})`}`,
  () => {
    let broker: ProvidedBroker;
    beforeAll(async () => {
      broker = await provideBroker();
    });
    afterAll(() => broker?.stop());

    test('the supervisor removes the worker from the loading, merging and ingestion groups', async () => {
      const prefix = `${fresh('claims')}.`;
      const topic = `${prefix}topic`;
      const admin = bareKafka(broker.brokers).admin();
      await admin.connect();
      await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] });
      const groups = [`${prefix}${GROUP}`, `${prefix}${MERGES}`, `${prefix}${INGESTION}`];
      const members = async (): Promise<number[]> =>
        (await admin.describeGroups(groups)).groups.map(({ members: some }) => some.length);

      const pid = 4711;
      const loader = clientIdOf('loading', pid);
      const names = [loader, mergerId(loader), clientIdOf('ingestion', pid)];
      const children: ChildProcess[] = groups.map((group, index) => {
        const words = [member, broker.brokers.join(','), group, topic, names[index]!, '600000'];
        return spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
      });
      // Each child prints a line when it owns a partition.
      await inTime('a member in each group', Promise.all(children.map((child) => once(child.stdout!, 'data'))));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => once(child, 'exit')));
      expect(await members()).toEqual([1, 1, 1]);

      const configuration = configurationSchema.parse({
        streams: { type: 'kafka', brokers: [...broker.brokers], prefix },
        warehouse: { type: 'bigquery', project: 'p', dataset: 'd', workers: 2 },
      });
      await releaseClaims(
        { worker: 'w', pid },
        { configuration, readable: configuration, place: {}, registry: builtIn } as unknown as Setting,
        everything,
      );
      expect(await members()).toEqual([0, 0, 0]);
      await admin.disconnect();
    });
  },
);
