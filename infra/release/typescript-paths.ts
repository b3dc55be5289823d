/** Matches module paths that the code builds at run time. The compiler rewrites only the paths in import statements. */
const builtPath = /(new URL\(|join\(import\.meta\.dirname, )'([^'\n]+)\.ts'/g;

/** Replaces `.ts` with `.js` in `new URL('./x.ts', import.meta.url)` and `join(import.meta.dirname, 'x.ts')`. */
export function withBuiltPaths(javaScript: string): string {
  return javaScript.replace(builtPath, "$1'$2.js'");
}
