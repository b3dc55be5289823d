import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KafkaBroker, type ProvidedBroker, provideBroker } from '@aorta/kafka-broker';

/** Clock ticks per second. Linux counts process times in ticks. */
const TICKS = 100;

/** A broker and its resource usage, which is known only for a local process on Linux. */
export interface MeasuredBroker {
  readonly brokers: readonly string[];
  /** CPU time that the broker has used on all cores since it started, in milliseconds. */
  cpu(): number | undefined;
  /** Size of a topic's records on disk, in bytes. */
  bytes(topic: string): number | undefined;
  stop(): Promise<void>;
}

export async function measuredBroker(): Promise<MeasuredBroker> {
  const broker = await provideBroker({ own: true, purpose: 'load' });
  return {
    brokers: broker.brokers,
    cpu: () => cpuOf(broker),
    bytes: (topic) => (broker instanceof KafkaBroker ? bytesOf(broker.records, topic) : undefined),
    stop: () => broker.stop(),
  };
}

function cpuOf(broker: ProvidedBroker): number | undefined {
  if (!(broker instanceof KafkaBroker) || broker.pid === undefined || process.platform !== 'linux') return undefined;
  const text = readFileSync(`/proc/${broker.pid}/stat`, 'utf8');
  // The process name is in parentheses, and may contain spaces. Fields 12 and 13 after it are user and system time.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

function bytesOf(folder: string, topic: string): number {
  const partitions = readdirSync(folder).filter((name) => name.slice(0, name.lastIndexOf('-')) === topic);
  const segments = partitions.flatMap((partition) =>
    readdirSync(join(folder, partition)).map((file) => join(folder, partition, file)),
  );
  return segments.filter((file) => file.endsWith('.log')).reduce((sum, file) => sum + statSync(file).size, 0);
}
