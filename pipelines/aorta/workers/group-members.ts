import type { GroupMember } from '@aorta/connectors';

/** What a worker does, as the group in which it takes part tells it. */
export type GroupPart = 'ingestion' | 'loading' | 'merging' | 'enrichment';

/** A member of a group of Aorta's, with what it does there. */
export interface WorkingMember extends GroupMember {
  readonly part: GroupPart;
  /** Name of the group of a stream's readers; of a source its own name. */
  readonly group: string;
}
