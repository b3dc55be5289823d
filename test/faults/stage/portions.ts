import { type Delivery, deliveries } from '@aorta/people';

/** The model in `test/model` does not cover these resources. */
const unmodelled = /^daily\.data\.(sleep|workouts|workout_stream|body|profile)\./;

/** Generates deliveries for synthetic people, and returns them in portions. */
export class Portions {
  readonly #deliveries: ReturnType<typeof deliveries>;

  constructor(seed: number, { people = 3, days = 3 } = {}) {
    this.#deliveries = deliveries({ seed, people, days });
  }

  /** Returns the next `count` deliveries, or all that are left. */
  next(count: number): Delivery[] {
    const portion: Delivery[] = [];
    while (portion.length < count) {
      const { done, value } = this.#deliveries.next();
      if (done === true) break;
      if (!unmodelled.test(value.headers['event-type']!)) portion.push(value);
    }
    return portion;
  }
}
