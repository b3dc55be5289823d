import type { GroupMember } from '@aorta/connectors';

export type GroupPart = 'ingestion' | 'loading' | 'merging' | 'enrichment';

/** A member of one of Aorta's consumer groups. `part` is the part of Aorta that uses the group. */
export interface WorkingMember extends GroupMember {
  readonly part: GroupPart;
  /** Name of the source if the member reads a source. Otherwise, the name of the consumer group. */
  readonly group: string;
}
