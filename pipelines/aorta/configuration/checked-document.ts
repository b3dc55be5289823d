import type { AortaError } from '@aorta/runtime';
import type { z } from 'zod';
import { type ConfigurationDocument, type Path, readDocument } from './document.ts';
import type { Environment } from './environment.ts';
import { problemsOf } from './problems.ts';
import type { Configuration, ConfigurationSchema } from './schema.ts';

/** A document and all its problems, except for variables that are not set. */
export interface CheckedDocument {
  readonly document: ConfigurationDocument;
  readonly problems: readonly AortaError[];
}

/** Parses a configuration and validates every section. Values that contain an unset variable are not validated. */
export function checkedDocument(
  file: string,
  text: string,
  environment: Environment,
  schema: ConfigurationSchema,
): CheckedDocument {
  const document = readDocument(file, text, environment);
  // A document that is not YAML cannot be validated further.
  if (document.value === undefined) return { document, problems: document.problems };
  const { error } = validated(document, schema);
  const invalid = error === undefined ? [] : problemsOf(document, error.issues, schema);
  // A malformed variable is reported once, and not also as an invalid value.
  const reported = new Set(document.problems.map(({ details }) => details.field));
  return { document, problems: [...document.problems, ...invalid.filter(({ details }) => !reported.has(details.field))] };
}

/** Validates a document. Unquoted values from the environment become numbers or booleans if the schema expects them. */
function validated(document: ConfigurationDocument, schema: ConfigurationSchema): z.ZodSafeParseResult<Configuration> {
  const result = schema.safeParse(document.value);
  if (result.success) return result;
  let changed = false;
  for (const issue of result.error.issues) {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    if (issue.code !== 'invalid_type' || !document.isFromEnvironment(path)) continue;
    changed = reread(document.value, path, issue.expected) || changed;
  }
  return changed ? schema.safeParse(document.value) : result;
}

function reread(root: unknown, path: Path, expected: string): boolean {
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => (value as Record<string | number, unknown>)[part], root);
  const last = path.at(-1);
  if (last === undefined || typeof parent !== 'object' || parent === null) return false;
  const holder = parent as Record<string | number, unknown>;
  const text = holder[last];
  if (typeof text !== 'string') return false;
  if ((expected === 'number' || expected === 'int') && /^-?\d+(\.\d+)?$/.test(text)) holder[last] = Number(text);
  else if (expected === 'boolean' && (text === 'true' || text === 'false')) holder[last] = text === 'true';
  else return false;
  return true;
}
