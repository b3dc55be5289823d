/**
 * Returns the parts of a connection string by lower-case name, or undefined if the text is not a connection string. The
 * parts contain the key: never log or display them.
 */
function partsOf(text: string): ReadonlyMap<string, string> | undefined {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    if (at < 1) return undefined;
    parts.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim());
  }
  return parts;
}

/** Whether the text is a connection string with an endpoint and either a key or a signature. */
export function isConnectionString(text: string): boolean {
  const parts = partsOf(text);
  if (parts === undefined || !/^sb:\/\/[^/;]+/i.test(parts.get('endpoint') ?? '')) return false;
  return parts.has('sharedaccesssignature') || (parts.has('sharedaccesskeyname') && parts.has('sharedaccesskey'));
}

/** Returns the hub that a connection string names; undefined if the connection string is for a whole namespace. */
export function hubOfConnection(text: string): string | undefined {
  const hub = partsOf(text)?.get('entitypath');
  return hub === '' ? undefined : hub;
}

/** Returns the namespace's host, with its port if given: the only part of a connection string that may be displayed. */
export function hostOfConnection(text: string): string {
  return /^sb:\/\/([^/;]+)/i.exec(partsOf(text)?.get('endpoint') ?? '')?.[1]?.toLowerCase() ?? '';
}

/** Whether the connection string is for a local server without TLS. */
export function isEmulator(text: string): boolean {
  return partsOf(text)?.get('usedevelopmentemulator')?.toLowerCase() === 'true';
}
