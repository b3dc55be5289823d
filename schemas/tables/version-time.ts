/** How to order the versions of a summary: by `updated_at` as in {@link versionTime}, or only by the time of receipt. */
export type SummaryOrder = 'updated_at' | 'received';

/** Suffix of event types that contain the first version of a summary, even if the event arrives late. */
const FIRST_VERSION_SUFFIX = '.created';

/** `_version_time` of a first version without `updated_at`, in microseconds since 1970. It is older than any other version. */
const FIRST_VERSION_TIME = 0;

/** The fields of a summary's record that determine its version. Some streams have no `updated_at`. */
interface SummaryRecord {
  readonly receipt: { readonly received_at: number };
  readonly event: { readonly event_type: string };
  readonly updated_at?: number | null;
}

/**
 * Returns the `_version_time` of a summary in microseconds since 1970. A `.created` event is always the first version.
 * If it has no `updated_at`, it loses to any `.updated` event, even to an earlier one.
 */
export function versionTime({ receipt, event, updated_at }: SummaryRecord, order: SummaryOrder): number {
  if (order === 'received') return receipt.received_at;
  if (updated_at !== undefined && updated_at !== null) return updated_at;
  return event.event_type.endsWith(FIRST_VERSION_SUFFIX) ? FIRST_VERSION_TIME : receipt.received_at;
}
