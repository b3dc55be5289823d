/** The work did not end in time; it may still go on, and whatever comes of it is nobody's any more. */
export class DeadlinePassed extends Error {
  constructor() {
    super('not done in time');
    this.name = 'TimeoutError';
  }
}

/** What the work gives, or {@link DeadlinePassed} after so many milliseconds: what waits for a peer never waits for ever. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlinePassed()), milliseconds);
  });
  // Nobody listens any more when it fails later.
  work.catch(() => {});
  try {
    return await Promise.race([work, passed]);
  } finally {
    clearTimeout(timer);
  }
}
