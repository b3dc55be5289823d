/** Paths of modules that are built at run time: the compiler rewrites imports only. */
const builtPath = /(new URL\(|join\(import\.meta\.dirname, )'([^'\n]+)\.ts'/g;

/** Lets `new URL('./x.ts', import.meta.url)` and `join(import.meta.dirname, 'x.ts')` name the built file. */
export function withBuiltPaths(javaScript: string): string {
  return javaScript.replace(builtPath, "$1'$2.js'");
}
