import { dayNumber } from './calendar.ts';

/** Probabilities, each from 0 to 1. */
export interface Rates {
  /** probability that an event is redelivered with the same headers and bytes, at a later offset */
  redelivery: number;
  /** probability that an event arrives 3 hours to 4 days late */
  late: number;
  /** probability that a bucket of steps is sent before it is complete, and again as `.updated` when its count has grown */
  bucketUpdate: number;
  /** probability that a sync sends a new version of the day's activity summary */
  summaryUpdate: number;
  /**
   * probability that the first attempt to deliver a summary fails. The retry arrives 1 to 10 hours later, with the same
   * `updated_at`
   */
  failedRetry: number;
  /** probability that a later `.updated` event corrects a batch of heart rate, glucose or blood pressure samples */
  sampleUpdate: number;
  /** probability that a delivery id is used a second time, with a different body */
  otherBody: number;
  /** probability that a connection breaks on a given day */
  outage: number;
}

export interface PeopleOptions {
  /** any safe integer. The same seed and options give the same bytes */
  seed: number;
  people: number;
  /** number of local days with live data, starting with `firstDay` */
  days: number;
  /** first local day, `YYYY-MM-DD`. Default: 2026-03-20, so that two weeks include the European clock change on 29 March */
  firstDay?: string;
  /** default: 4 */
  partitions?: number;
  /** value of `source` in every delivery. Default: `people` */
  source?: string;
  /** time slots per heart-rate or glucose event. Default: 100. As with real devices, a few slots have no sample */
  samplesPerEvent?: number;
  /** seconds between heart-rate samples. Default: depends on the provider, from 60 (fitbit) to 300 (oura) */
  heartRateSeconds?: number;
  rates?: Partial<Rates>;
}

/** Options with all defaults filled in. `firstDay` is a day number. */
export interface Settings {
  seed: number;
  people: number;
  days: number;
  firstDay: number;
  partitions: number;
  source: string;
  samplesPerEvent: number;
  heartRateSeconds: number | undefined;
  rates: Rates;
}

export const defaultRates: Rates = {
  redelivery: 0.02,
  late: 0.02,
  bucketUpdate: 0.5,
  summaryUpdate: 0.8,
  failedRetry: 0.03,
  sampleUpdate: 0.02,
  otherBody: 0.0005,
  outage: 0.01,
};

function within(name: string, value: number, low: number, high: number): number {
  if (!Number.isSafeInteger(value) || value < low || value > high)
    throw new RangeError(`${name} must be a whole number from ${low} to ${high}`);
  return value;
}

/** Fills in the defaults. If a value is out of range, throws a {@link RangeError} that names the option. */
export function settle(options: PeopleOptions): Settings {
  const rates = { ...defaultRates, ...options.rates };
  for (const [name, rate] of Object.entries(rates)) {
    if (!(rate >= 0 && rate <= 1)) throw new RangeError(`rates.${name} must be between 0 and 1`);
  }
  const source = options.source ?? 'people';
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(source))
    throw new RangeError(
      'source must start with a letter or digit and contain only letters, digits, dots, dashes and underscores',
    );
  return {
    seed: within('seed', options.seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    people: within('people', options.people, 1, 1_000_000),
    days: within('days', options.days, 1, 3660),
    firstDay: dayNumber(options.firstDay ?? '2026-03-20'),
    partitions: within('partitions', options.partitions ?? 4, 1, 2048),
    source,
    samplesPerEvent: within('samplesPerEvent', options.samplesPerEvent ?? 100, 1, 10_000),
    heartRateSeconds:
      options.heartRateSeconds === undefined ? undefined : within('heartRateSeconds', options.heartRateSeconds, 1, 3600),
    rates,
  };
}
