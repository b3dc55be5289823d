export interface Expansion {
  readonly text: string;
  readonly changed: boolean;
  /** Names of variables that are not set and have no default. */
  readonly missing: readonly string[];
  /** Parts of the string that begin with `${` but are not variables. */
  readonly malformed: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const place = /\$\$|\$\{([^}]*)\}?/g;
const variable = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/**
 * Expands `${NAME}` and `${NAME:-default}` in a string; `$$` is a dollar sign. As in a shell, the default also replaces an
 * empty variable.
 */
export function expand(text: string, environment: Environment): Expansion {
  const missing: string[] = [];
  const malformed: string[] = [];
  const filled = text.replace(place, (found, inside: string | undefined) => {
    if (found === '$$') return '$';
    const [, name, fallback] = variable.exec(inside ?? '') ?? [];
    if (name === undefined || !found.endsWith('}')) {
      malformed.push(found);
      return found;
    }
    const value = environment[name];
    if (value !== undefined && (value !== '' || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    missing.push(name);
    return found;
  });
  return { text: filled, changed: filled !== text, missing, malformed };
}
