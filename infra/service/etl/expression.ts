import { RE2JS } from 're2js';

/** Returns whether a text is a regular expression of RE2, which the real service uses. */
export function isExpression(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}

/** The compiled expressions of matchers. A pipeline keeps its matchers, so each expression is compiled once. */
const compiled = new WeakMap<object, RE2JS>();

/** Returns whether a text contains what the expression of a matcher describes. */
export function contains(text: string, matcher: object, expression: string): boolean {
  let known = compiled.get(matcher);
  if (known === undefined) {
    known = RE2JS.compile(expression);
    compiled.set(matcher, known);
  }
  return known.matcher(text).find();
}
