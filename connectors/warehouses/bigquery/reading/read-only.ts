/** Returns undefined if `sql` may be a single SELECT statement. Otherwise, returns what it is. Ignores comments and literals. */
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
