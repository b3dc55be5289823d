import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { isObject } from '@aorta/schemas';
import { ProgramError } from '../../../errors.ts';
import type { Surroundings } from '../../surroundings.ts';

const QUOTES = 'In a shell, put the whole object in single quotes.';

/** Reads a file, or standard input if the name is `-`. */
export async function readInput(file: string, { folder, input }: Pick<Surroundings, 'folder' | 'input'>): Promise<string> {
  return file === '-' ? text(input) : readFile(resolve(folder, file), 'utf8');
}

/** Parses a JSON object from an argument, or from standard input if the argument is `-`. `what` names it in errors. */
export async function readObject(argument: string, what: string, { input }: Pick<Surroundings, 'input'>): Promise<object> {
  if (argument !== '-') return objectOf(argument, what, `${QUOTES} To read it from a file, write - < FILE.`);
  const hint = 'Give one object in braces, without comments and without a comma after the last member.';
  return objectOf(await text(input), `${what} on standard input`, hint);
}

/** Parses a JSON object. `what` names it in errors, such as `--outcome`. */
export function parseObject(content: string, what: string): object {
  return objectOf(content, what, QUOTES);
}

function objectOf(content: string, what: string, hint: string): object {
  const value = parsedJson(content);
  if (isObject(value)) return value;
  throw new ProgramError('AORTA-USAGE', { problem: `${what} is not a JSON object`, hint });
}

/** Parses a JSON object, an array of objects, or one object per line. `name` is the file's name. */
export function parseObjects(content: string, name: string): object[] {
  const whole = parsedJson(content);
  if (isObject(whole)) return [whole];
  if (Array.isArray(whole) && whole.length > 0 && whole.every(isObject)) return whole;
  const objects: object[] = [];
  for (const [index, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue;
    const value = parsedJson(line);
    if (!isObject(value) && objects.length === 0) throw wrong(`no JSON object could be read from ${name}`);
    if (!isObject(value)) throw wrong(`${name}:${index + 1}: this is not a JSON object`);
    objects.push(value);
  }
  if (objects.length === 0) throw wrong(`${name} has no data`);
  return objects;
}

function wrong(problem: string): Error {
  return new ProgramError('AORTA-USAGE', {
    problem,
    hint: 'Give one JSON object, an array of objects, or one object per line.',
  });
}

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parsedJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
