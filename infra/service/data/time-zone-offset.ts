import { timeZone } from '@aorta/people';

/** Returns how many seconds a time zone is east of UTC at an instant (ms). `zone` is an identifier of the IANA database. */
export function offsetOf(zone: string, instant: number): number {
  return timeZone(zone).offsetSeconds(instant);
}
