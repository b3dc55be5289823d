import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { clientOf, fresh } from './kafka.fixture.ts';
import type { MemberEvent } from './member.process.ts';

const own = { own: true } as const;
const problem = await whyNoBroker(own);
const SESSION_MS = 6_000;
const PARTITIONS = 4;

let broker: ProvidedBroker | undefined;
const processes = new Set<ChildProcess>();

afterEach(async () => {
  for (const one of processes) one.kill('SIGKILL');
  processes.clear();
  await broker?.stop();
});

test.skipIf(problem !== undefined)(
  `while members join, leave, crash and freeze, no record is lost and no partition has two owners ${problem?.message ?? ''}`,
  async () => {
    broker = await provideBroker(own);
    const { brokers } = broker;
    const client = clientOf(brokers, { requestMs: 30_000 });
    const [topic, group] = [fresh('shared'), fresh('g')];
    await client.admin.create({ topic, partitions: PARTITIONS });
    const events: MemberEvent[] = [];
    const start = (name: string): ChildProcess => {
      const script = fileURLToPath(new URL('./member.process.ts', import.meta.url));
      const child = spawn(process.execPath, [script, brokers.join(), group, topic, name, String(SESSION_MS)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      processes.add(child);
      createInterface(child.stdout!).on('line', (line) => events.push(JSON.parse(line) as MemberEvent));
      return child;
    };
    /** Waits until the group has this many members and every partition has an owner. */
    const shared = async (members: number): Promise<void> => {
      await until(
        `${members} members`,
        () => client.admin.members(group),
        (found) => found.length === members && found.flatMap(({ partitions }) => partitions).length === PARTITIONS,
      );
      // The members add their own times to the events.
      const from = Date.now();
      await until(
        'reads of all partitions',
        () => new Set(events.filter(({ kind, at }) => kind === 'read' && at > from).map((e) => e.partition)).size,
        PARTITIONS,
      );
    };

    const producer = await client.producer({});
    let written = 0;
    const flow = setInterval(() => {
      for (let partition = 0; partition < PARTITIONS; partition++) {
        void producer.produce({ topic, partition }, [{ key: null, value: Buffer.from(`${written}`) }]);
      }
      written += 1;
    }, 10);
    const one = start('one');
    await shared(1);
    const two = start('two');
    await shared(2);
    const three = start('three');
    await shared(3);
    // A member that leaves cleanly says so to the group, so the other members need not wait for its session to expire.
    two.kill('SIGTERM');
    await once(two, 'exit');
    expect(await client.admin.members(group)).toHaveLength(2);
    await shared(2);
    one.kill('SIGKILL');
    await shared(1);
    const four = start('four');
    await shared(2);
    // Once a crash is reported to the group, the other members need not wait for the session to expire.
    four.kill('SIGKILL');
    await once(four, 'exit');
    expect(await client.admin.removeMembers(group, 'four')).toBe(1);
    expect(await client.admin.members(group)).toHaveLength(1);
    await shared(1);
    expect(await client.admin.removeMembers(group, 'four')).toBe(0);
    start('five');
    await shared(2);
    // The member is frozen for longer than its session. When it resumes, it assumes that it still owns its partitions.
    three.kill('SIGSTOP');
    await sleep(SESSION_MS * 1.5);
    await shared(1);
    three.kill('SIGCONT');
    await shared(2);
    clearInterval(flow);
    await producer.close();

    const bounds = await client.admin.bounds(topic);
    expect(bounds.map(({ end }) => end)).toEqual(Array.from({ length: PARTITIONS }, () => written));
    await until('all commits', () => client.admin.committed(group, topic), Array(PARTITIONS).fill(written));
    for (const child of processes) child.kill('SIGTERM');
    await Promise.all([...processes].map(async (child) => child.exitCode ?? child.signalCode ?? (await once(child, 'exit'))));
    await client.close();

    for (let partition = 0; partition < PARTITIONS; partition++) {
      const here = events.filter((event) => event.partition === partition).sort((a, b) => a.at - b.at);
      const read = new Set(here.flatMap(({ kind, offsets }) => (kind === 'read' ? offsets! : [])));
      expect(read.size).toBe(written);
      // Once a partition has a new owner, the previous owner can neither read nor commit successfully.
      const turns = here.filter(({ kind }) => kind === 'read' || kind === 'committed').map(({ assignment }) => assignment);
      const order = turns.filter((assignment, index) => assignment !== turns[index - 1]);
      expect(order).toEqual([...new Set(order)]);
      const committed = here.filter(({ kind }) => kind === 'committed').map(({ next }) => next!);
      expect(committed).toEqual(committed.toSorted((a, b) => a - b));
    }
    expect(events.filter(({ kind }) => kind === 'failed')).toEqual([]);
  },
);
