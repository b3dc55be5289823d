const KEY = /(SharedAccess(?:Key|Signature)\s*=\s*)([^;]+)/gi;

/** Hides the keys of a connection string. */
export const maskedConnection = (connection: string): string => connection.replaceAll(KEY, '$1***');

/** Returns whether the keys of a connection string are hidden, as {@link maskedConnection} does it. */
export const isMasked = (connection: string): boolean => [...connection.matchAll(KEY)].some(([, , key]) => key!.trim() === '***');

/** Hides the keys of a connection string in another text, such as the message of an error. */
export function withoutKeys(text: string, connection: string): string {
  const keys = [...connection.matchAll(KEY)].map(([, , key]) => key!.trim());
  const rest = keys.filter((key) => key !== '').reduce((left, key) => left.replaceAll(key, '***'), text);
  return rest.replaceAll(/(SharedAccess(?:Key|Signature)\s*=\s*)[^;\s]+/gi, '$1***');
}
