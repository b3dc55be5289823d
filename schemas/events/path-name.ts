/** A dot, a tilde, or a backslash that begins six characters like those that `jsonText` writes for half a surrogate pair. */
const special = /[.~]|\\(?=ud[89a-f][0-9a-f]{2})/;
const everySpecial = new RegExp(special, 'g');

/**
 * Returns the name of an unknown member as the paths in `extra` contain it: a tilde precedes each dot and each tilde of the
 * name. Otherwise `{"a.b": 1}` and `{"a": {"b": 1}}` would have the same path, and one of the values would be lost.
 *
 * The escape character is a tilde, because JSON and BigQuery's SQL would need two backslashes for one.
 */
export function pathName(member: string): string {
  return special.test(member) ? member.replace(everySpecial, '~$&') : member;
}
