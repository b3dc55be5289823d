import { type Figure, figure } from '../measure.ts';
import { Asked } from './asked.ts';
import type { BareWorks } from './bare.process.ts';
import { type Cluster, program } from './cluster.ts';
import type { OurWorks } from './ours.process.ts';

/** Measures the CPU usage of an idle kafkajs consumer and an idle Aorta consumer, which run at the same time. */
export async function idling(seconds: number, cluster: Cluster, bare: Asked<BareWorks>): Promise<Figure[]> {
  const topic = await cluster.made('silent');
  const { brokers } = cluster;
  const ours = new Asked<OurWorks>(program('ours'));
  try {
    const [adapted, plain] = await Promise.all([
      ours.ask('idle', { brokers, topic, group: cluster.fresh('group'), folder: cluster.freshFolder('idle'), seconds }),
      bare.ask('idle', { brokers, topic, seconds }),
    ]);
    return [
      figure(`a consumer of Kafka to which nothing comes for ${seconds} s`, '% of a core', [adapted * 100], {
        target: '< 1',
        met: (percent) => percent < 1,
      }),
      figure('the same with the bare library', '% of a core', [plain * 100]),
    ];
  } finally {
    await ours.end();
  }
}
