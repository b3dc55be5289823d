import type { LoincCode } from './loinc.ts';
import type { SentUnits } from './sent-units.ts';

/**
 * The kind of a measure decides how its values may be combined:
 * - `additive_interval`: an amount during an interval, such as steps. The values of one source add up. A part of an interval
 *   gets a proportional share of the value.
 * - `additive_event`: an amount at a moment, such as a drink. All values add up.
 * - `level`: a state at a moment or its mean over a time, such as a heart rate. Values never add up.
 * - `duration`: a length of time, such as deep sleep. The values of one source add up.
 */
type MeasureKind = 'additive_interval' | 'additive_event' | 'level' | 'duration';

/**
 * How a LOINC term fits a measure. `exact`: it has the same meaning. `broader`: it covers the measure and more, such as a
 * heart rate without the statistic. Aorta never uses a term that is more specific than the data.
 */
interface LoincMapping {
  readonly code: LoincCode;
  readonly match: 'exact' | 'broader';
}

/** The least and the greatest plausible value, in the canonical unit. Both are plausible themselves. */
type PlausibleRange = readonly [low: number, high: number];

/**
 * The canonical units, as UCUM codes, with their names. UCUM allows any text in braces, so a unit such as `{steps}` counts as 1
 * in calculations.
 */
export const unitNames = {
  '%': 'percent',
  '/min': 'per minute',
  '1': 'fraction',
  '[iU]': 'international units',
  Cel: 'degrees Celsius',
  K: 'kelvins, equal to degrees Celsius for a difference of temperatures',
  L: 'litres',
  'L/min': 'litres per minute',
  W: 'watts',
  cm: 'centimetres',
  g: 'grams',
  kcal: 'kilocalories',
  kg: 'kilograms',
  'kg/m2': 'kilograms per square metre',
  m: 'metres',
  'm/s': 'metres per second',
  mL: 'millilitres',
  'mL/kg/min': 'millilitres per kilogram and minute',
  mV: 'millivolts',
  min: 'minutes',
  'mm[Hg]': 'millimetres of mercury',
  'mmol/L': 'millimoles per litre',
  ms: 'milliseconds',
  s: 'seconds',
  '{FSU}': 'fluorescence scale units',
  '{events}': 'events',
  '{floors}': 'floors',
  '{hours}': 'hours of the day',
  '{index}': 'points of an index',
  '{pushes}': 'pushes',
  '{score}': 'points of a score',
  '{steps}': 'steps',
  '{strokes}': 'strokes',
} as const;

export type Unit = keyof typeof unitNames;

interface Described {
  /** Unique. The resource, with the type of the sample if the measure has one, or the table and the column. */
  readonly id: string;
  /** Name for display. */
  readonly name: string;
  readonly kind: MeasureKind;
  /** The canonical unit. */
  readonly unit: Unit;
  readonly plausible: PlausibleRange;
  readonly loinc?: LoincMapping;
}

/** A measure whose values are samples in the table `timeseries`. */
export interface SampleMeasure extends Described {
  readonly resource: string;
  /** The sample type. Without it, the measure covers all types of the resource that have no measure of their own. */
  readonly sampleType?: string;
  /** The units in which values are sent. The first is the unit of a value without a unit. */
  readonly sent: SentUnits;
}

/** A measure whose values are in a column of another table. */
export interface ColumnMeasure extends Described {
  readonly table: string;
  readonly column: string;
  /** Units in which values are sent, if the table has a column `unit`. */
  readonly sent?: SentUnits;
  /** True if some providers send a percentage instead of a fraction. A value above 1 is then divided by 100. */
  readonly mayBePercent?: true;
}

export type Measure = SampleMeasure | ColumnMeasure;

export function isSampleMeasure(measure: Measure): measure is SampleMeasure {
  return 'resource' in measure;
}

export function isColumnMeasure(measure: Measure): measure is ColumnMeasure {
  return 'column' in measure;
}

type Facts<M extends Measure> = Omit<M, 'id' | 'resource' | 'sampleType' | 'table' | 'column'>;

/** Declares the measure of a resource. */
export function ofResource(resource: string, facts: Facts<SampleMeasure>): SampleMeasure {
  return { id: resource, resource, ...facts };
}

/** Declares the measure of one sample type of a resource. `name` is the last part of its id. */
export function ofSampleType(resource: string, name: string, sampleType: string, facts: Facts<SampleMeasure>): SampleMeasure {
  return { id: `${resource}.${name}`, resource, sampleType, ...facts };
}

/** Declares the measure in a column of a table. */
export function ofColumn(table: string, column: string, facts: Facts<ColumnMeasure>): ColumnMeasure {
  return { id: `${table}.${column}`, table, column, ...facts };
}
