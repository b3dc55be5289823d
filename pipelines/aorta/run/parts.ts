import { hostname } from 'node:os';
import { adapterOf } from '@aorta/connectors/registry';
import { ownIdentity } from '@aorta/runtime';
import type { Surroundings } from '../cli/surroundings.ts';
import { sourcesOf } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import type { Section } from '../config/schema.ts';

/** The parts of the program that can run in separate processes. */
export const partNames = ['ingestion', 'enrichment', 'loading'] as const;

export type PartName = (typeof partNames)[number];

/**
 * The parts of a run. Ingestion appends deliveries from the sources to the streams, enrichment appends what the service answers,
 * and loading loads the streams into the tables.
 */
export type RunParts = Readonly<Record<PartName, boolean>>;

/** The parts of a run without `--only`. */
export const everything: RunParts = { ingestion: true, enrichment: true, loading: true };

/** The sections of the configuration that every run reads. */
const always = ['streams', 'health', 'log'] as const;
/** The sections that determine how a delivery is processed. */
const intake = ['routes', 'redelivery_window', 'limits'] as const;

/** The sections of the configuration that each part reads. */
export const sectionsOfPart = {
  ingestion: [...always, ...intake, 'sources'],
  enrichment: [...always, ...intake, 'service', 'historical_pulls'],
  loading: [...always, 'warehouse', 'privacy', 'preferences'],
} as const satisfies Record<PartName, readonly Section[]>;

/** Returns the sections of the configuration that a run with these parts reads. */
export function sectionsOf(parts: RunParts): readonly Section[] {
  return partNames.filter((part) => parts[part]).flatMap((part): readonly Section[] => sectionsOfPart[part]);
}

/** Returns whether a run with these parts appends to shared streams. */
export function writesStreams({ ingestion, enrichment }: RunParts): boolean {
  return ingestion || enrichment;
}

/** Returns the names of the parts, as `aorta status` prints them. Includes enrichment only if the process does not ingest. */
export function reportedParts({ ingestion, enrichment, loading }: RunParts): PartName[] {
  const writes = ingestion ? (['ingestion'] as const) : enrichment ? (['enrichment'] as const) : [];
  return [...writes, ...(loading ? (['loading'] as const) : [])];
}

/**
 * Returns the name under which this process claims partitions. All workers of a supervisor have the same name, so that a
 * restarted worker owns the crashed worker's claims. The boot id distinguishes machines with the same host name.
 */
export function workerName({ restarts, supervised }: Pick<Surroundings, 'restarts' | 'supervised'>): string {
  const supervisor = supervised === undefined && restarts !== undefined ? process.ppid : process.pid;
  const { boot } = ownIdentity();
  return `${hostname()}-${boot?.slice(0, 8) ?? 'unknown'}-${supervisor}`;
}

/** Returns the client id with which a part of a process reads and writes topics. `aorta streams` prints it. */
export function clientIdOf(part: PartName, pid = process.pid): string {
  return `aorta-${part}-${hostname()}-${pid}`;
}

/** Returns all client ids of this process: those of its parts, and those of its sources if the ids are unique to this worker. */
export function clientNames(
  setting: Pick<Setting<'streams'>, 'configuration' | 'readable' | 'registry'>,
  worker: string,
): string[] {
  const { isShared } = adapterOf(setting.registry.streamLogs, setting.configuration.streams);
  const parts = isShared ? partNames : [];
  const ofSources = sourcesOf(setting).map(({ settings, adapter }) => adapter.clientName?.(settings, worker));
  return [...new Set([...parts.map((part) => clientIdOf(part)), ...ofSources.filter((name) => name !== undefined)])];
}
