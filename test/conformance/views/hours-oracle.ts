import { expectedMetricDays, type Known, type Person } from './person-days-oracle.ts';
import { canonical, dayOf, isImpossible, momentOf, mostMinutes, startsBeside } from './sample-days-oracle.ts';
import { nameOf } from './source-oracle.ts';

/** Computes the hours and the glucose of one user in plain code, from stored rows and the rules alone. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Counted {
  readonly hour: number;
  readonly value: number;
  /** Milliseconds that the sample lasts in its period. */
  readonly lasts: number;
}

interface SourceDay {
  readonly local_date: string;
  readonly source: string;
  readonly value: number;
  readonly samples: readonly Counted[];
}

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);

/** The samples that count of the source that decides each day. They last at most to the end of the hour or day. */
function ofDays(person: Person, known: Known, resource: string, period: number): SourceDay[] {
  const days = expectedMetricDays(person, known).filter(({ measure }) => measure === resource);
  return days.map(({ local_date, source, value }) => {
    const own = person.samples.filter(
      (one) =>
        one.resource === resource &&
        nameOf(one) === source &&
        dayOf(one, known.offsetAt).date === local_date &&
        canonical(one) !== undefined &&
        !isImpossible(one),
    );
    const samples = own.map((one): Counted => {
      const { start, end, clock, value: exact } = momentOf(one, canonical(one)!, known.offsetAt);
      const next = Math.min(...startsBeside(person.samples, one).filter((other) => other > start));
      const lasts = end === undefined ? mostMinutes(resource) * 60_000 : end - start;
      const left = period - (((clock % period) + period) % period);
      return { hour: new Date(clock).getUTCHours(), value: exact, lasts: Math.min(lasts, next - start, left) };
    });
    return { local_date: local_date as string, source: source as string, value: value as number, samples };
  });
}

const partsOf = (source: string) => {
  const [provider, source_type] = source.split('/');
  return { provider, source_type, source };
};

const byHour = (samples: readonly Counted[]): [number, Counted[]][] => [...Map.groupBy(samples, ({ hour }) => hour)];

/** The rows of `steps_hours`. */
export const expectedStepsHours = (person: Person, known: Known): Record<string, unknown>[] =>
  ofDays(person, known, 'steps', HOUR_MS).flatMap(({ local_date, source, value, samples }) =>
    byHour(samples).map(([local_hour, list]) => ({
      local_date,
      local_hour,
      ...partsOf(source),
      steps: Math.round(sum(list.map((one) => one.value))),
      day_steps: value,
      samples: list.length,
    })),
  );

/** The rows of `heartrate_hours`. */
export const expectedHeartrateHours = (person: Person, known: Known): Record<string, unknown>[] =>
  ofDays(person, known, 'heartrate', HOUR_MS).flatMap(({ local_date, source, samples }) =>
    byHour(samples).map(([local_hour, list]) => ({
      local_date,
      local_hour,
      ...partsOf(source),
      avg_bpm: sum(list.map(({ value, lasts }) => value * lasts)) / sum(list.map(({ lasts }) => lasts)),
      min_bpm: Math.min(...list.map(({ value }) => value)),
      max_bpm: Math.max(...list.map(({ value }) => value)),
      samples: list.length,
    })),
  );

/** Least and greatest whole mg/dL of each band of the international consensus. */
const bands: Readonly<Record<string, readonly [least: number, greatest: number]>> = {
  very_low: [Number.NEGATIVE_INFINITY, 53],
  low: [54, 69],
  in_range: [70, 180],
  high: [181, 250],
  very_high: [251, Number.POSITIVE_INFINITY],
};

/** The rows of `glucose_days`. 1 mmol/L is 18.0182 mg/dL. */
export function expectedGlucoseDays(person: Person, known: Known): Record<string, unknown>[] {
  const days = ofDays(person, known, 'glucose', DAY_MS).map(({ local_date, source, samples }) => {
    const readings = samples.map(({ value, lasts }) => ({ mgDl: value * 18.0182, seconds: lasts / 1000 }));
    const covered = sum(readings.map(({ seconds }) => seconds));
    return { local_date, source, readings, covered, mean: sum(readings.map(({ mgDl, seconds }) => mgDl * seconds)) / covered };
  });
  return days.map(({ local_date, source, readings, covered, mean }) => {
    const values = readings.map(({ mgDl }) => mgDl);
    const plain = sum(values) / values.length;
    const variance = sum(values.map((value) => (value - plain) ** 2)) / (values.length - 1);
    const recent = days.filter((one) => {
      const before = (Date.parse(local_date) - Date.parse(one.local_date)) / DAY_MS;
      return before >= 0 && before < 14;
    });
    const covered14 = sum(recent.map((one) => one.covered));
    const mean14 = sum(recent.map((one) => one.mean * one.covered)) / covered14;
    return {
      local_date,
      ...partsOf(source),
      readings: readings.length,
      covered_s: covered,
      coverage_pct: (100 * covered) / 86_400,
      mean_mg_dl: mean,
      cv_pct: values.length < 2 ? null : (100 * Math.sqrt(variance)) / plain,
      ...Object.fromEntries(
        Object.entries(bands).flatMap(([name, [least, greatest]]) => {
          const inBand = readings.filter(({ mgDl }) => Math.round(mgDl) >= least && Math.round(mgDl) <= greatest);
          const seconds = sum(inBand.map((one) => one.seconds));
          return [
            [`${name}_s`, seconds],
            [`${name}_pct`, (100 * seconds) / covered],
          ];
        }),
      ),
      coverage_14d_pct: (100 * covered14) / (14 * 86_400),
      gmi_pct: covered14 < 0.7 * 14 * 86_400 ? null : 3.31 + 0.02392 * mean14,
    };
  });
}
