import type { AortaError } from '@aorta/runtime';
import type { z } from 'zod';
import { ProgramError } from '../errors.ts';
import { type ConfigurationDocument, fieldName, holdsUnset, isWithin, type Path } from './document.ts';
import { nearestName } from './nearest-name.ts';
import { choicesOf, descriptionAt, keysAt, valueAt } from './schema-at.ts';

type Issue = z.core.$ZodIssue;

/**
 * Converts schema issues into errors. Each error names a line, a field and a correction. No error quotes a value, because
 * values may be secrets.
 */
export function problemsOf(document: ConfigurationDocument, issues: readonly Issue[], schema: z.ZodType): AortaError[] {
  return issues.flatMap((issue) => problemsOfIssue(document, issue, schema));
}

function problemsOfIssue(document: ConfigurationDocument, issue: Issue, schema: z.ZodType): AortaError[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (dependsOnUnset(document, issue, path)) return [];
  const say = (at: Path, problem: string, hint: string) =>
    new ProgramError('AORTA-CONFIG-INVALID', {
      file: document.file,
      line: document.lineOf(at),
      field: fieldName(at),
      problem,
      hint: `${hint}${originOf(document.variablesAt(at))}`,
    });
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        const known = keysAt(schema, path, document.value);
        const meant = nearestName(key, known);
        return say(
          [...path, key],
          'there is no such field',
          meant === undefined
            ? `The fields here are ${listed(known)}.`
            : `Did you mean ${meant}? The fields here are ${listed(known)}.`,
        );
      });
    case 'invalid_type': {
      const missing = valueAt(document.value, path) === undefined;
      return [
        missing
          ? say(path, 'this field is required', `It must be ${kind(issue.expected)}.`)
          : say(
              path,
              `this is ${shown(valueAt(document.value, path))}, but must be ${kind(issue.expected)}`,
              example(issue.expected),
            ),
      ];
    }
    case 'invalid_value':
      return [choice(path, issue.values.map(String))];
    case 'invalid_union':
      return issue.discriminator === undefined ? union(issue) : [choice(path, choicesOf(schema, path))];
    case 'too_small':
    case 'too_big':
      return [
        say(path, bound(issue), isEmpty(issue) ? 'Give a value, or remove the field.' : 'Choose a value within this limit.'),
      ];
    case 'invalid_format':
      return [
        say(
          path,
          ownWords(issue) ?? `this is not ${formats[issue.format] ?? 'in the expected format'}`,
          formatHints[issue.format] ?? descriptionAt(schema, path, document.value) ?? 'See docs/reference/configuration.md.',
        ),
      ];
    case 'not_multiple_of':
      return [say(path, 'this must be a whole number', 'Remove the fraction.')];
    case 'custom':
      return [
        say(
          path,
          trimmed(issue.message),
          typeof issue.params?.hint === 'string' ? issue.params.hint : 'See docs/reference/configuration.md.',
        ),
      ];
    default:
      return [say(path, 'this value is not allowed', 'See docs/reference/configuration.md.')];
  }

  function choice(at: Path, accepted: readonly string[]): AortaError {
    const given = valueAt(document.value, at);
    if (given === undefined)
      return say(
        at,
        'this field is required',
        accepted.length === 1 ? `It must be ${accepted[0]}.` : `It must be one of ${listed(accepted)}.`,
      );
    const meant = typeof given === 'string' ? nearestName(given, accepted) : undefined;
    const all = accepted.length === 1 ? `The accepted value is ${accepted[0]}.` : `The accepted values are ${listed(accepted)}.`;
    return say(
      at,
      given === null ? 'this is empty' : 'this is not one of the accepted values',
      meant === undefined ? all : `Did you mean ${meant}? ${all}`,
    );
  }

  function union(inner: Extract<Issue, { code: 'invalid_union' }>): AortaError[] {
    // The union branch that matched the most levels is most likely the one that the user meant.
    const [nearest] = inner.errors.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
    const kinds = inner.errors.flatMap((branch) =>
      branch.flatMap((one) => (one.code === 'invalid_type' && one.path.length === 0 ? [kind(one.expected)] : [])),
    );
    if (nearest === undefined || (kinds.length === inner.errors.length && depth(nearest) === 0))
      return [say(path, 'this has the wrong type', `It must be ${[...new Set(kinds)].join(' or ')}.`)];
    return nearest.flatMap((one) => problemsOfIssue(document, { ...one, path: [...path, ...one.path] } as Issue, schema));
  }
}

/**
 * Returns whether an issue may disappear once a variable is set. A check that compares fields may, for example, look for a
 * hub in a connection string that is not known.
 */
function dependsOnUnset(document: ConfigurationDocument, issue: Issue, path: Path): boolean {
  if (document.unset.some((variable) => isWithin(variable.path, path))) return true;
  if (issue.code !== 'custom' || issue.params?.isCertain === true) return false;
  return holdsUnset(document, valueAt(document.value, path) === undefined ? path.slice(0, -1) : path);
}

const depth = (branch: readonly Issue[]): number => Math.max(0, ...branch.map((issue) => issue.path.length));

/**
 * Returns our own message for a value that does not match a pattern, because the library's default message quotes the
 * pattern.
 */
function ownWords({ format, message }: { readonly format?: string; readonly message: string }): string | undefined {
  return format === 'regex' && !message.startsWith('Invalid ') ? trimmed(message) : undefined;
}

function trimmed(message: string): string {
  const sentence = message.replace(/\.$/, '');
  return sentence.startsWith('not ') ? `this is ${sentence}` : sentence;
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}

const kinds: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function kind(expected: string): string {
  return kinds[expected] ?? expected;
}

function shown(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a number with a fraction';
  return kinds[typeof value] ?? typeof value;
}

function example(expected: string): string {
  if (expected === 'array') return 'Write it as [one, two], or with one line and a dash per entry.';
  if (expected === 'object') return 'Write its fields on the lines below, indented.';
  if (expected === 'string') return 'Put it in quotes.';
  if (expected === 'boolean') return 'Write true or false, without quotes.';
  return 'Write it without quotes and without a unit.';
}

function bound(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  const [word, limit] = issue.code === 'too_small' ? ['least', issue.minimum] : ['most', issue.maximum];
  const strict = issue.inclusive === false;
  if (issue.origin === 'string') return isEmpty(issue) ? 'this is empty' : `this needs at ${word} ${limit} characters`;
  if (issue.origin === 'array' || issue.origin === 'set') return `this needs at ${word} ${limit} entries`;
  if (strict) return `this must be ${issue.code === 'too_small' ? 'more' : 'less'} than ${limit}`;
  return `this must be at ${word} ${limit}`;
}

/** Whether a string has no characters. */
function isEmpty(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): boolean {
  return issue.code === 'too_small' && issue.origin === 'string' && Number(issue.minimum) === 1;
}

/** Returns a sentence that names the environment variables of a value. */
function originOf(variables: readonly string[]): string {
  if (variables.length === 0) return '';
  return ` The value comes from the environment variable${variables.length > 1 ? 's' : ''} ${listed(variables)}.`;
}

const formats: Record<string, string> = {
  url: 'a URL',
  datetime: 'a time in RFC 3339',
  date: 'a date',
  regex: 'in the expected format',
};
const formatHints: Record<string, string> = {
  url: 'For example https://example.org/path.',
  datetime: 'For example 2026-03-29T01:30:00Z.',
};
