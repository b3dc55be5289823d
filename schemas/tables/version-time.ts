/** What makes a version of a summary newer: `updated_at` with the rule of {@link versionTime}, or the time of receipt alone. */
export type SummaryOrder = 'updated_at' | 'received';

/** Event types that end so announce the first version of a summary, whenever they arrive. */
export const FIRST_VERSION_SUFFIX = '.created';

/** `_version_time` of a first version without `updated_at`, in microseconds since 1970: older than every other version. */
export const FIRST_VERSION_TIME = 0;

/** The members of a summary's record that decide its version; some streams have no `updated_at`. */
interface SummaryRecord {
  readonly receipt: { readonly received_at: number };
  readonly event: { readonly event_type: string };
  readonly updated_at?: number | null;
}

/**
 * `_version_time` of a summary, in microseconds since 1970. A `.created` event is the first version by nature, so without
 * `updated_at` it loses against every `.updated`, even one that arrived before it.
 */
export function versionTime({ receipt, event, updated_at }: SummaryRecord, order: SummaryOrder): number {
  if (order === 'received') return receipt.received_at;
  if (updated_at !== undefined && updated_at !== null) return updated_at;
  return event.event_type.endsWith(FIRST_VERSION_SUFFIX) ? FIRST_VERSION_TIME : receipt.received_at;
}
