/** Variables inside a text: `${NAME}`, `${NAME:-default}`; `$$` is a dollar sign. */

export interface Expansion {
  readonly text: string;
  /** Whether anything was replaced. */
  readonly changed: boolean;
  /** Names of variables that are not set and have no default. */
  readonly missing: readonly string[];
  /** Places that look like a variable and are not: what stands after `${`. */
  readonly malformed: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const place = /\$\$|\$\{([^}]*)\}?/g;
const variable = /^([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/;

/** Fills the variables of a text. As in a shell, an empty variable takes the default as an absent one does. */
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
