/** The work did not end in time; whatever comes of it is nobody's any more. */
export class DeadlinePassed extends Error {
  constructor() {
    super('not done in time');
    this.name = 'TimeoutError';
  }
}

/** What the work gives, or {@link DeadlinePassed} after so many milliseconds. */
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

/** Resolves when the work has ended, well or not, or after so many milliseconds. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await within(milliseconds, work).catch(() => {});
}

export async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
