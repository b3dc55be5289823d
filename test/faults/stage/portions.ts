import { type Delivery, deliveries } from '@aorta/people';

/** Generates deliveries for synthetic people, and returns them in portions. */
export class Portions {
  readonly #deliveries: ReturnType<typeof deliveries>;

  constructor(seed: number, { people = 3, days = 1 } = {}) {
    this.#deliveries = deliveries({ seed, people, days });
  }

  /** Returns the next `count` deliveries, or all that are left. */
  next(count: number): Delivery[] {
    const portion: Delivery[] = [];
    while (portion.length < count) {
      const { done, value } = this.#deliveries.next();
      if (done === true) break;
      // The model in `test/model` does not cover sleep.
      if (!value.headers['event-type']!.startsWith('daily.data.sleep.')) portion.push(value);
    }
    return portion;
  }
}
