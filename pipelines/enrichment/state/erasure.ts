import type { KeptEntries } from '@aorta/connectors';
import { parsed } from './document.ts';

/** Removes a user from the state of a job or of the tracker, which must not be running. Returns the number of removed entries. */
export async function forgetUser(state: Pick<KeptEntries, 'take' | 'write'>, userId: string): Promise<number> {
  const own = [...state.take()].filter(([name, text]) => isOf(name, text, userId));
  await state.write(own.map(([name]) => [name, null]));
  return own.length;
}

function isOf(name: string, text: string, userId: string): boolean {
  // The tracker's entries are named `user/<id>` and `owed/<JSON>`. All other names are paths in JSON.
  const [, prefix, rest] = /^(user|owed)\/(.*)$/s.exec(name) ?? [];
  if (prefix === 'user') return rest === userId;
  const path = parsed(rest ?? name);
  if (!Array.isArray(path)) return false;
  if (path.some((one) => one === userId || (typeof one === 'string' && one.startsWith(`${userId} `)))) return true;
  const value = parsed(text);
  return typeof value === 'object' && value !== null && (value as { readonly userId?: unknown }).userId === userId;
}
