/** Forms of the source object. `old`: name, slug and logo. `current`: provider, type, app and device. `both`: all members. */
export const generations = ['old', 'both', 'current'] as const;
export type Generation = (typeof generations)[number];
