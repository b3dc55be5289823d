import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, systemCode } from '@aorta/runtime';
import type { z } from 'zod';

/**
 * Reads the JSON reports that processes keep in a folder, sorted by file name. Returns an empty list if the folder does not
 * exist. Skips files in an unknown format, which a different version of Aorta may have written.
 */
export async function reportsIn<T extends z.ZodType>(
  folder: string,
  shape: T,
): Promise<{ readonly path: string; readonly report: z.output<T> }[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  const found: { path: string; report: z.output<T> }[] = [];
  for (const name of names.filter((one) => one.endsWith('.json')).sort()) {
    const path = join(folder, name);
    const report = shape.safeParse(parsed((await readIfThere(path))?.toString('utf8') ?? ''));
    if (report.success) found.push({ path, report: report.data });
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
