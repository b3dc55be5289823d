/** Returns a function that calls `of` once for each argument. It is fastest if the argument is mostly the same as before. */
export function memoized<Key, Value>(of: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  let last: { readonly key: Key; readonly value: Value } | undefined;
  return (key) => {
    if (last !== undefined && last.key === key) return last.value;
    const value = values.has(key) ? values.get(key)! : of(key);
    values.set(key, value);
    last = { key, value };
    return value;
  };
}
