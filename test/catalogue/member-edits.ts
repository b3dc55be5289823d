/** Returns the values that replace a value. */
export type Edit = (value: unknown) => readonly unknown[];

interface Change {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Returns every copy of a value in which one part is edited, with the path of this part. */
export function changes(value: unknown, edit: Edit): Change[] {
  const own = edit(value).map((edited): Change => ({ path: [], value: edited }));
  if (typeof value !== 'object' || value === null) return own;
  const parts: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  const inner = parts.flatMap(([name, part]) =>
    changes(part, edit).map(({ path, value: edited }) => ({ path: [name, ...path], value: replaced(value, name, edited) })),
  );
  return [...own, ...inner];
}

function replaced(value: object, name: string | number, part: unknown): unknown {
  return Array.isArray(value) ? value.with(name as number, part) : { ...value, [name]: part };
}
