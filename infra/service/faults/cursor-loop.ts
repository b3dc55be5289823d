/** Members of answers that hold the cursor of the next page. */
const cursorMembers = ['next_cursor', 'next'] as const;
/** Query parameters that hold a cursor. */
const cursorParameters = ['next_cursor', 'cursor'] as const;
const LOOP = 'loop-';

/** Returns an answer whose cursors lead to the page that the query asked for. Answers without a cursor stay as they are. */
export function looped(answer: string, query: Readonly<Record<string, unknown>>): string {
  const body: unknown = JSON.parse(answer);
  if (typeof body !== 'object' || body === null) return answer;
  const given = cursorParameters.map((name) => query[name]).find((value) => typeof value === 'string') ?? '';
  const cursor = `${LOOP}${Buffer.from(given as string).toString('base64url')}`;
  const members = cursorMembers.filter((name) => name in body);
  return JSON.stringify({ ...body, ...Object.fromEntries(members.map((name) => [name, cursor])) });
}

/** Replaces a cursor of {@link looped} in a query by the cursor that led to that page. */
export function unlooped(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = { ...query };
  for (const name of cursorParameters) {
    const value = plain[name];
    if (typeof value !== 'string' || !value.startsWith(LOOP)) continue;
    const cursor = Buffer.from(value.slice(LOOP.length), 'base64url').toString();
    if (cursor === '') delete plain[name];
    else plain[name] = cursor;
  }
  return plain;
}
