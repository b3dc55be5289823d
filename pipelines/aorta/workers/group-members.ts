import type { GroupMember } from '@aorta/connectors';

export type GroupPart = 'ingestion' | 'loading' | 'merging' | 'enrichment';

/** A member of one of Aorta's consumer groups, with the part of the program that it belongs to. */
export interface WorkingMember extends GroupMember {
  readonly part: GroupPart;
  /** Name of the source, or name of the group that reads streams. */
  readonly group: string;
}
