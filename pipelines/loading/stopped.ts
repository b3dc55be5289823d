/** Thrown if the loader was stopped before everything was landed. The next run lands the rest. */
export class Stopped extends Error {
  constructor() {
    super('the jobs stopped before they had caught up');
    this.name = 'Stopped';
  }
}
