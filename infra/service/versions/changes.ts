/**
 * When the interface changed (UTC). The specification names months, which begin on their first day here. Only for retrying pulls,
 * it names the day.
 */
export const changes = {
  'undo of deletions': '2024-02-01',
  'ids in envelopes': '2024-03-01',
  'existing user in conflicts': '2024-03-01',
  'management API': '2024-04-01',
  'pipelines to Event Hubs': '2024-06-01',
  'hubs by event type': '2024-08-01',
  'preparation of credentials': '2024-08-01',
  'X-Management-Key': '2025-04-01',
  'management keys of teams': '2025-05-01',
  'management of webhooks': '2025-05-01',
  'retrying pulls': '2025-05-10',
  'interpretation of orders': '2025-06-01',
  'closed betas in JSON': '2025-11-01',
} as const;

export type Change = keyof typeof changes;

/** Returns whether a change has come at a time (ms since 1970). */
export const hasCome = (change: Change, at: number): boolean => at >= Date.parse(changes[change]);

const LAST = Math.max(...Object.values(changes).map((date) => Date.parse(date)));

/** Returns whether the interface is as its OpenAPI document says: all changes have come. */
export const isCurrent = (at: number): boolean => at >= LAST;

/** Name under which a schema and the OpenAPI document have the date of a change. */
export const SINCE = 'x-since';

/** Marks a member of a schema that a change has added. Before, {@link withoutLater} leaves it out. */
export const addedBy = (change: Change) => ({ [SINCE]: changes[change] });
