import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AortaError, pathText, systemPath } from '@aorta/runtime';
import { FileError } from './errors.ts';

/** The character with which Node replaces bytes of the command line that are not UTF-8. */
const REPLACED = '\ufffd';

/**
 * Returns the path for each word, or the error of a word that fits no path or several. Node replaces bytes of the command line
 * that are not UTF-8, so a word can differ from the name on disk. A shell pattern can result in the same word several
 * times. If exactly as many paths fit the word, each occurrence is one of them.
 */
export async function pathsMeant(words: readonly string[], folder: string): Promise<(string | AortaError)[]> {
  const fitting = new Map<string, string[]>();
  for (const word of words) if (word.includes(REPLACED) && !fitting.has(word)) fitting.set(word, await pathsLike(word, folder));
  const counts = new Map<string, number>();
  const taken = words.map((word): [word: string, index: number] => {
    const index = counts.get(word) ?? 0;
    counts.set(word, index + 1);
    return [word, index];
  });
  return taken.map(([word, index]) => {
    const paths = fitting.get(word);
    if (paths === undefined) return word;
    if (paths.length === 1) return paths[0]!;
    const problem =
      paths.length === 0 ? 'no file or folder has such a name' : `${paths.length} files or folders have such a name`;
    return paths.length === counts.get(word) ? paths[index]! : new FileError('AORTA-FILE-NAME', { file: word, problem });
  });
}

/** Returns the paths that become `word` if the bytes that are not UTF-8 are replaced. */
async function pathsLike(word: string, folder: string): Promise<string[]> {
  let paths = [''];
  const parts = word.split('/');
  for (const [index, part] of parts.entries()) {
    const end = index < parts.length - 1 ? '/' : '';
    const next = paths.map(async (path) => {
      if (!part.includes(REPLACED)) return [`${path}${part}${end}`];
      return (await namesLike(part, resolve(folder, path))).map((name) => `${path}${name}${end}`);
    });
    paths = (await Promise.all(next)).flat();
  }
  return paths;
}

async function namesLike(part: string, folder: string): Promise<string[]> {
  const names = await readdir(systemPath(folder), { encoding: 'buffer' }).catch(() => []);
  return names
    .filter((name) => shortened(name.toString()) === shortened(part))
    .map(pathText)
    .sort();
}

/** Programs that pass a name on may replace several bytes with one character. */
const shortened = (name: string): string => name.replace(/\ufffd+/g, REPLACED);
