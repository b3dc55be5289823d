import { isSymbol, type Token } from './tokens.ts';

/** The name of a table in a statement. */
export interface TablePath {
  /** The parts of the name in order: the project and the dataset, if the name contains them, and then the table. */
  readonly parts: readonly string[];
  /** The index of the token after the name. */
  readonly next: number;
}

/** Reads a name at a token, such as `` `a.b`.c ``, `a.b` or `my-project.a.b`; returns undefined if there is none. */
export function tablePathAt(tokens: readonly Token[], at: number): TablePath | undefined {
  const parts: string[] = [];
  let next = at;
  for (;;) {
    const token = tokens[next];
    if (token?.kind === 'name') parts.push(...token.text.split('.'));
    else if (token?.kind === 'word') {
      let name = token.text;
      // The name of a project may contain hyphens without spaces around them.
      while (isSymbol(tokens[next + 1], '-') && touches(tokens, next) && touches(tokens, next + 1)) {
        name += `-${tokens[next + 2]!.text}`;
        next += 2;
      }
      parts.push(name);
    } else return undefined;
    next++;
    if (!isSymbol(tokens[next], '.')) return { parts, next };
    next++;
  }
}

function touches(tokens: readonly Token[], at: number): boolean {
  return tokens[at]!.end === tokens[at + 1]?.start;
}
