/** The parts of the program that run apart. */
export const partNames = ['ingestion', 'enrichment', 'loading'] as const;
export type PartName = (typeof partNames)[number];

/** What a run does. */
export interface RunParts {
  /** Takes the sources into the streams. */
  readonly ingestion: boolean;
  /** The workers that ask the service; `pulls` is the tracker of historical pulls alone. */
  readonly enrichment: 'all' | 'pulls' | 'none';
  /** Carries the streams into the tables. */
  readonly loading: boolean;
}

/** A run without `--only`. */
export const everything: RunParts = { ingestion: true, enrichment: 'all', loading: true };

/** Whether a run of these parts appends to topics. The tracker of `pulls` does not count: it runs alone with local streams only. */
export function writesStreams({ ingestion, enrichment }: RunParts): boolean {
  return ingestion || enrichment === 'all';
}

/** The parts as `aorta status` names them: enrichment is named only if it runs without ingestion. */
export function reportedParts({ ingestion, enrichment, loading }: RunParts): PartName[] {
  const takes = ingestion ? (['ingestion'] as const) : enrichment === 'all' ? (['enrichment'] as const) : [];
  return [...takes, ...(loading ? (['loading'] as const) : [])];
}
