import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKafka } from '@aorta/connectors/kafka/client';
import { whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { Asked } from './kafka/asked.ts';
import type { BareWorks } from './kafka/bare.process.ts';
import { measuredBroker } from './kafka/broker.ts';
import { Cluster, fill, program } from './kafka/cluster.ts';
import { compressing } from './kafka/compressing.ts';
import { idling } from './kafka/idling.ts';
import type { OurWorks } from './kafka/ours.process.ts';
import { reading } from './kafka/reading.ts';
import { sharing } from './kafka/sharing.ts';
import { writing } from './kafka/writing.ts';
import type { Figure } from './measure.ts';

export interface Effort {
  readonly rounds: number;
  /** Number of rounds for each measurement that starts new processes. */
  readonly starts: number;
  /** How long to observe an idle consumer, in seconds. */
  readonly idleSeconds: number;
}

/**
 * Measures Kafka clients with a real broker, which uses some of this machine's cores. Rounds alternate between plain kafkajs and
 * our code on top of kafkajs. Each client has its own process, so that plain kafkajs runs without our workarounds.
 */
export async function kafka(effort: Effort, say: (text: string) => void): Promise<Figure[]> {
  const problem = await whyNoBroker({ own: true });
  if (problem !== undefined) {
    say(`skipped, because there is no broker: ${problem.message}`);
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  const broker = await measuredBroker();
  const client = openKafka({ brokers: broker.brokers, clientId: 'bench' }, { logger: silentLogger });
  const cluster = new Cluster(broker, client, folder);
  // kafkajs prints this warning once per process. Our client works around the cause.
  const bare = new Asked<BareWorks>(program('bare'), ['--disable-warning=TimeoutNegativeWarning']);
  const ours = new Asked<OurWorks>(program('ours'));
  try {
    await fill(client, cluster.topic);
    const parts: readonly (readonly [name: string, measure: () => Promise<Figure[]>])[] = [
      ['reading', () => reading(effort.rounds, cluster, bare, ours)],
      ['writing', () => writing(effort.rounds, cluster, bare, ours)],
      ['compressing', () => compressing(effort.rounds, cluster, ours)],
      ['several workers', () => sharing(effort.starts, cluster)],
      ['nothing to do', () => idling(effort.idleSeconds, cluster, bare)],
    ];
    const figures: Figure[] = [];
    for (const [name, measure] of parts) {
      say(`measuring: kafka, ${name}`);
      const found = await measure();
      for (const { name: what, median, unit } of found) say(`  ${what}: ${median.toPrecision(3)} ${unit}`);
      figures.push(...found);
    }
    return figures;
  } finally {
    await Promise.all([bare.end(), ours.end()]);
    await client.close();
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
