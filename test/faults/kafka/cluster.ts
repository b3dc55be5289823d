import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KafkaCluster } from '@aorta/kafka-broker';
import { expect } from 'vitest';
import type { Machine } from '../stage/machine.ts';
import type { Silences } from '../stage/report.ts';
import { Stage } from './stage.ts';

/**
 * A cluster of three brokers with SASL over TLS. Each topic has a replica on every broker, and a record is acknowledged when two
 * replicas have it. Streams are stored in topics.
 */

interface ClusterCase {
  readonly seed: number;
  readonly silences: Silences;
  readonly repeats: (count: number) => void;
}

/** Runs a case with two ingesting machines and one loading machine, on three brokers. */
export async function playOnCluster(
  { seed, silences, repeats }: ClusterCase,
  act: (
    stage: Stage,
    cluster: KafkaCluster,
    machines: { readonly taking: readonly Machine[]; readonly landing: Machine },
  ) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-certificates-'));
  let cluster: KafkaCluster;
  const on = async () => {
    cluster = await KafkaCluster.start({ users: { aorta: 'secret' } });
    const ca_file = join(folder, 'authority.pem');
    writeFileSync(ca_file, cluster.authority.chain);
    const login = { mechanism: 'plain', user: 'aorta', password: 'secret' };
    return { brokers: cluster, access: { brokers: cluster.secureBrokers, tls: { ca_file }, login } };
  };
  try {
    await Stage.play({ seed, repeats, partitions: 4, streams: 'topics', silences, on }, async (stage) => {
      const taking = [stage.machines.add('ingestion'), stage.machines.add('ingestion')];
      const landing = stage.machines.add('loading');
      for (const machine of stage.machines.all) machine.start();
      await stage.reached();
      await act(stage, cluster, { taking, landing });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A worker may lose a partition after it wrote records and before it commits. The next owner writes these records again. */
export const counted =
  (after: string) =>
  (count: number): void => {
    expect(count).toBeGreaterThanOrEqual(0);
    process.stdout.write(`Records that the streams hold twice after ${after}: ${count}\n`);
  };
