import { hostname } from 'node:os';
import { ownIdentity } from '@aorta/streams';
import type { Setting } from '../configuration/configuration.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * The name by which this process claims partitions. All working processes of one supervisor have the same, one after the
 * other: so the next one has the claims of the one that crashed. Host and boot tell machines apart, also where many have one name.
 */
export function workerName({ restarts, supervised }: Pick<Surroundings, 'restarts' | 'supervised'>): string {
  const supervisor = supervised === undefined && restarts !== undefined ? process.ppid : process.pid;
  const { boot } = ownIdentity();
  return `${hostname()}-${boot?.slice(0, 8) ?? 'unknown'}-${supervisor}`;
}

/** As which the part of a process that uses topics of streams is known to the brokers, and seen in `aorta streams`. */
export function clientIdOf(part: 'consumers' | 'jobs' | 'fetching', pid = process.pid): string {
  return `aorta-${part}-${hostname()}-${pid}`;
}

/** Every name by which brokers know this process: of its parts, and of its sources of Kafka if that name is of one worker alone. */
export async function clientNames({ configuration }: Pick<Setting, 'configuration'>, worker: string): Promise<string[]> {
  const parts = configuration.streams.type === 'kafka' ? (['consumers', 'jobs', 'fetching'] as const) : [];
  const names = parts.map((part) => clientIdOf(part));
  for (const source of configuration.sources) {
    if (source.type !== 'kafka' || source.client_id !== undefined) continue;
    const { clientIdOf: nameOf } = await import('@aorta/consumers/kafka');
    names.push(nameOf(source, worker));
  }
  return [...new Set(names)];
}
