/**
 * Yields the items of `source` in order, and always requests the next item while the caller handles the current one.
 * File reads and inflation run on other threads, which would otherwise be idle. An error is thrown after all earlier
 * items. Ending the iteration early also ends the source.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  await using reading = new AsyncDisposableStack();
  const items = source[Symbol.asyncIterator]();
  reading.defer(async () => void (await items.return?.()));
  const ask = (): Promise<IteratorResult<T>> => {
    const asked = items.next();
    // The request may fail before the loop awaits it. The loop still receives the error.
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
