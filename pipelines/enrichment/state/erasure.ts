import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptEntries } from '@aorta/connectors';
import { readIfThere, replaceFile } from '@aorta/runtime';
import { type Content, contentOf, entriesOf, parsed } from './document.ts';

/**
 * Removes a user from the jobs' state files. Returns the number of removed items. Skips unreadable files. Must not be
 * called while a job runs.
 */
export async function forgetUserInFiles(folder: string, userId: string): Promise<number> {
  let forgotten = 0;
  for (const name of await filesIn(folder)) {
    const file = parsed((await readIfThere(join(folder, name)))?.toString('utf8')) as
      | { readonly format?: unknown; readonly content?: Content }
      | undefined;
    if (typeof file?.content !== 'object' || file.content === null) continue;
    const { owed } = file.content;
    const entries = new Map(entriesOf({ ...file.content, ...(Array.isArray(owed) ? { owed: { ...owed } } : {}) }));
    const own = namesOf(entries, userId);
    if (own.length === 0) continue;
    for (const one of own) entries.delete(one);
    const empty = Object.fromEntries(
      Object.entries(file.content)
        .filter(([, member]) => typeof member === 'object')
        .map(([member, value]) => [member, member === 'facts' ? emptied(value as Content) : {}]),
    );
    await replaceFile(join(folder, name), [JSON.stringify({ ...file, content: contentOf(entries, empty) })]);
    forgotten += own.length;
  }
  return forgotten;
}

/** Removes a user from the state topic of a job or of the tracker. */
export async function forgetUserInTopic(state: Pick<KeptEntries, 'take' | 'write'>, userId: string): Promise<number> {
  const own = namesOf(state.take(), userId);
  await state.write(own.map((name) => [name, null]));
  return own.length;
}

/** Returns the names of the user's entries. */
function namesOf(entries: ReadonlyMap<string, string>, userId: string): string[] {
  return [...entries].filter(([name, text]) => isOf(name, text, userId)).map(([name]) => name);
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

const emptied = (facts: Content): Content => Object.fromEntries(Object.keys(facts).map((name) => [name, {}]));

async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
