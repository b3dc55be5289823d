const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the offset of a zone at an instant, both in seconds. Reads the zone's wall clock and compares it with UTC. The
 * generator of the table does not do this, so tests can compare the table with it.
 */
export function offsetOfWallClock(zone: string, second: number): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const;
    clock = new Intl.DateTimeFormat('sv', options);
    clocks.set(zone, clock);
  }
  return Date.parse(`${clock.format(second * 1000).replace(' ', 'T')}Z`) / 1000 - second;
}
