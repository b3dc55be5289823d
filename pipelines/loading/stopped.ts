/** Thrown if the loader was stopped before it had landed all records. The next run lands the rest. */
export class Stopped extends Error {
  constructor() {
    super('the jobs stopped before they had caught up');
    this.name = 'Stopped';
  }
}
