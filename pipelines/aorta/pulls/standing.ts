/** Where a history can stand on the board; those that somebody has to look at come first. */
export const standings = [
  'failed',
  'stalled',
  'retrying',
  'unknown',
  'in_motion',
  'announced',
  'not_pulled',
  'not_reported',
  'gone',
  'complete',
] as const;
export type Standing = (typeof standings)[number];
