const special = /[.[\]~\\]/;
const everySpecial = /[.[\]~\\]/g;

/**
 * Returns the name of an unknown member as the paths in `extra` contain it. A tilde precedes each dot, bracket, tilde and
 * backslash of the name. Otherwise `{"a.b": 1}` and `{"a": {"b": 1}}` would have the same path, and one of the values would
 * be lost. A backslash without a tilde begins half a surrogate pair, as `jsonText` writes it.
 *
 * The escape is a tilde, because in JSON and in the SQL of BigQuery, a backslash would need a second backslash.
 */
export function pathName(member: string): string {
  return special.test(member) ? member.replace(everySpecial, '~$&') : member;
}
