import { type Figure, figure } from '../measure.ts';
import { Asked } from './asked.ts';
import { type Cluster, program } from './cluster.ts';
import type { OurWorks } from './ours.process.ts';
import { PARTITIONS, READ } from './summaries.ts';
import { put } from './turns.ts';

const WORKERS = [1, 2, 4];

/** Measures several processes that share a topic and write to streams in Kafka topics. */
export async function sharing(rounds: number, cluster: Cluster): Promise<Figure[]> {
  const rates = new Map<number, number[]>();
  const cores = new Map<number, number[]>();
  const streams = await cluster.streams(PARTITIONS);
  for (let round = 0; round < rounds; round++) {
    for (const count of WORKERS) {
      const reading = cluster.read();
      const processes = Array.from({ length: count }, () => new Asked<OurWorks>(program('ours')));
      try {
        await Promise.all(
          processes.map((one) => one.ask('joinGroup', { ...reading, folder: cluster.freshFolder('worker'), streams })),
        );
        await cluster.shared(reading.group, count);
        const begun = Date.now();
        const shares = await Promise.all(processes.map((one) => one.ask('share', undefined)));
        const sum = (of: (share: (typeof shares)[number]) => number): number => shares.reduce((total, one) => total + of(one), 0);
        if (sum(({ deliveries }) => deliveries) !== READ) throw new Error('the workers did not read all records of the topic');
        const wall = Math.max(...shares.map(({ ended }) => ended)) - begun;
        put(rates, count, (READ * 1000) / wall);
        put(cores, count, (sum(({ cpu }) => cpu) * 1000) / READ);
      } finally {
        await Promise.all(processes.map((one) => one.end()));
      }
    }
  }
  const called = (count: number): string => `${count} ${count === 1 ? 'worker' : 'workers'}`;
  const first = rates.get(1)!;
  return WORKERS.flatMap((count) => [
    figure(`Kafka → durable streams on Kafka, ${called(count)}, from their start`, 'events/s', rates.get(count)!),
    ...(count === 1
      ? []
      : [
          figure(
            `${called(count)} against one`,
            '×',
            rates.get(count)!.map((rate, round) => rate / first[round]!),
          ),
        ]),
    figure(`${called(count)}: a core for an event`, 'µs', cores.get(count)!),
  ]);
}
