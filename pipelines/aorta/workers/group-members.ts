import type { GroupMember } from '@aorta/connectors';

export type GroupPart = 'ingestion' | 'loading' | 'merging' | 'enrichment';

/** A member of one of Aorta's consumer groups, with what it does there. */
export interface WorkingMember extends GroupMember {
  readonly part: GroupPart;
  /** Name of the group that reads streams, or name of the source. */
  readonly group: string;
}
