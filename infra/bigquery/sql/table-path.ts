import { isSymbol, type Token } from './tokens.ts';

/** The name of a table as a statement writes it. */
export interface TablePath {
  /** Its parts: table; dataset and table; or project, dataset and table. */
  readonly parts: readonly string[];
  /** The token after it. */
  readonly next: number;
}

/** Reads a name at a token: `` `a.b`.c ``, `a.b`, `my-project.a.b`; undefined where none stands. */
export function tablePathAt(tokens: readonly Token[], at: number): TablePath | undefined {
  const parts: string[] = [];
  let next = at;
  for (;;) {
    const token = tokens[next];
    if (token?.kind === 'name') parts.push(...token.text.split('.'));
    else if (token?.kind === 'word') {
      let name = token.text;
      // A project's name may have hyphens, without spaces.
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
