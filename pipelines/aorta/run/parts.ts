import type { Reading, Section } from '../config/sections.ts';

/** The parts of the program that can run in separate processes. */
export const partNames = ['ingestion', 'enrichment', 'loading'] as const;
export type PartName = (typeof partNames)[number];

export interface RunParts {
  /** Whether the run appends deliveries from the sources to the streams. */
  readonly ingestion: boolean;
  /** Which enrichment jobs run. With `pulls`, only the tracker of historical pulls runs. */
  readonly enrichment: 'all' | 'pulls' | 'none';
  /** Whether the run loads the streams into the tables. */
  readonly loading: boolean;
}

/** The sections of the configuration that every run reads. */
const always = ['streams', 'health', 'log'] as const;
/** The sections that decide what becomes of a delivery. */
const intake = ['routes', 'redelivery_window', 'limits'] as const;

/** The sections of the configuration that each part opens. */
export const readsOfPart = {
  ingestion: [...always, ...intake, 'sources'],
  enrichment: [...always, ...intake, 'service', 'historical_pulls'],
  loading: [...always, 'warehouse', 'privacy', 'preferences'],
} as const satisfies Record<PartName, readonly Section[]>;

/** Returns the sections of the configuration that a run with these parts opens. */
export function readsOf({ ingestion, enrichment, loading }: RunParts): Reading<Section, never> {
  const parts = { ingestion, enrichment: enrichment !== 'none', loading };
  return {
    opens: [...new Set(partNames.filter((part) => parts[part]).flatMap((part): readonly Section[] => readsOfPart[part]))],
  };
}

/** The parts of a run without `--only`. */
export const everything: RunParts = { ingestion: true, enrichment: 'all', loading: true };

/**
 * Returns whether a run with these parts appends to shared streams. With `pulls`, it does not, because only runs with local
 * streams use that value.
 */
export function writesStreams({ ingestion, enrichment }: RunParts): boolean {
  return ingestion || enrichment === 'all';
}

/** Returns the names of the parts, as `aorta status` prints them. Includes enrichment only if the process does not ingest. */
export function reportedParts({ ingestion, enrichment, loading }: RunParts): PartName[] {
  const takes = ingestion ? (['ingestion'] as const) : enrichment === 'all' ? (['enrichment'] as const) : [];
  return [...takes, ...(loading ? (['loading'] as const) : [])];
}
