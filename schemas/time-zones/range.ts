/** Bounds of the table of time zones, in seconds since 1970: it has the offsets from 2010 to 2037. */
export const FIRST_INSTANT_S = Date.UTC(2010, 0) / 1000;
export const LAST_INSTANT_S = Date.UTC(2038, 0) / 1000;
