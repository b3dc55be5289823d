/** Parts of a connection string by name in lower case; undefined where it is none. Never told to anybody: it holds the key. */
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

/** Whether the text has what the client needs: an endpoint, and a key or a signature. */
export function isConnectionString(text: string): boolean {
  const parts = partsOf(text);
  if (parts === undefined || !/^sb:\/\/[^/;]+/i.test(parts.get('endpoint') ?? '')) return false;
  return parts.has('sharedaccesssignature') || (parts.has('sharedaccesskeyname') && parts.has('sharedaccesskey'));
}

/** The hub that a connection string names; undefined where it is one of the namespace. */
export function hubOfConnection(text: string): string | undefined {
  const hub = partsOf(text)?.get('entitypath');
  return hub === '' ? undefined : hub;
}

/** Host (and port, if any) of the namespace: what may be told of a connection string. */
export function hostOfConnection(text: string): string {
  return /^sb:\/\/([^/;]+)/i.exec(partsOf(text)?.get('endpoint') ?? '')?.[1]?.toLowerCase() ?? '';
}

/** Whether the connection string is that of a local server, which has no TLS. */
export function isEmulator(text: string): boolean {
  return partsOf(text)?.get('usedevelopmentemulator')?.toLowerCase() === 'true';
}
