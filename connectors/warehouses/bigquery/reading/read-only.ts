/** What a statement is called by that is not one SELECT; undefined where it may be one. Comments and literals count for nothing. */
export function notReadOnly(sql: string): string | undefined {
  const bare = sql
    .replace(/'''[\s\S]*?'''|"""[\s\S]*?"""/g, "''")
    .replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`[^`]*`/g, (text) => (text.startsWith('`') ? 'x' : "''"))
    .replace(/--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .trim()
    .replace(/;\s*$/, '');
  if (bare === '') return 'empty';
  const statements = bare.split(';').length;
  if (statements > 1) return `${statements} statements`;
  const first = /^[(\s]*([A-Za-z]+)/.exec(bare)?.[1]?.toUpperCase() ?? 'another statement';
  return first === 'SELECT' || first === 'WITH' ? undefined : first;
}
