/**
 * The items of `source` in their order, the next one always under way while the last is being worked on: inflating and
 * reading have threads of their own, and would otherwise stand still meanwhile. What the source throws comes after
 * everything that it gave before; ending early ends the source.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  await using reading = new AsyncDisposableStack();
  const items = source[Symbol.asyncIterator]();
  reading.defer(async () => void (await items.return?.()));
  const ask = (): Promise<IteratorResult<T>> => {
    const asked = items.next();
    // It may fail before anybody waits for it; whoever takes it hears of it.
    asked.catch(() => {});
    return asked;
  };
  let next = ask();
  while (true) {
    const { done, value } = await next;
    if (done) return;
    next = ask();
    yield value;
  }
}
