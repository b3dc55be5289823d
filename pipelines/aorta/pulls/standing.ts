/** The standings of the board, in the board's order: those that need attention come first. */
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
