/** Quotes a string for a configuration file if necessary. Dollar signs are doubled, because a file expands variables. */
export function yamlWord(text: string): string {
  const isPlain = /^[A-Za-z/][\w./-]*$/.test(text) && !/^(true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text.replaceAll('$', '$$$$'));
}
