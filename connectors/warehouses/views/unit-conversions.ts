import { type Measure, measureOfSample, measures, type SentUnit, sampleMeasures, timeseriesResources } from '@aorta/schemas';
import type { LiteralColumn, View, ViewColumn, ViewDialect } from './dialect.ts';

const columns: readonly (LiteralColumn & ViewColumn)[] = [
  { name: 'measure', type: 'string', doc: 'Id of the measure.' },
  { name: 'unit_sent', type: 'string', doc: 'A spelling of the unit, in lower case; empty for values without a unit.' },
  { name: 'minus', type: 'float64', doc: 'Zero point of the unit: canonical value = (value − minus) × times ÷ per.' },
  { name: 'times', type: 'float64', doc: 'Values are multiplied by this factor.' },
  { name: 'per', type: 'float64', doc: 'Values are divided by this factor.' },
  { name: 'unit', type: 'string', doc: 'The canonical unit as a UCUM code.' },
  { name: 'plausible_low', type: 'float64', doc: 'Least plausible value of the measure, in the canonical unit.' },
  { name: 'plausible_high', type: 'float64', doc: 'Greatest plausible value of the measure, in the canonical unit.' },
];

/** Values in a column without units are in the canonical unit. */
const sentUnits = ({ sent = [{ spelled: [] }] }: Measure): readonly SentUnit[] => sent;

/**
 * One row per measure and spelling of a unit, with the factors of the conversion. Views with many resources join this view,
 * because a single expression for all units would delay each DuckDB query by 0.2 s.
 */
export function unitConversionsView({ rows }: ViewDialect): View {
  return {
    name: 'unit_conversions',
    doc: 'One row per measure and spelling of a unit that a value may be sent in, with the factors of the conversion.',
    columns,
    query: rows(
      columns,
      measures.flatMap((measure) =>
        sentUnits(measure).flatMap(({ spelled, minus = 0, times = 1, per = 1 }, index) =>
          [...(index === 0 ? [''] : []), ...spelled].map((unit) => [
            measure.id,
            unit,
            minus,
            times,
            per,
            measure.unit,
            ...measure.plausible,
          ]),
        ),
      ),
    ),
  };
}

/**
 * Expression that normalizes a unit before it is compared with spellings: lower case, without surrounding spaces, and empty
 * if there is no unit.
 */
export const unitText = (unit: string): string => `coalesce(lower(trim(${unit}, ' ')), '')`;

/** A join with `unit_conversions`, and the expressions that use it. */
export interface Conversion {
  readonly join: string;
  readonly value: string;
  readonly unit: string;
  /** Condition that the value is in the plausible range of its measure. NULL if the unit is not known. */
  readonly plausible: string;
}

/**
 * Returns the conversion of values to the canonical unit of their measure. Value and unit are NULL if the unit is not known for
 * the measure. The parameters are expressions.
 */
export function conversion({ table }: ViewDialect, measure: string, value: string, unit: string): Conversion {
  const canonical = `(${value} - c.minus) * c.times / c.per`;
  return {
    join: `left join ${table('unit_conversions')} c on c.measure = ${measure} and c.unit_sent = ${unitText(unit)}`,
    value: canonical,
    unit: 'c.unit',
    plausible: `(${canonical} between c.plausible_low and c.plausible_high)`,
  };
}

/** Resources whose measure depends on the type of the sample. */
export const typedResources: readonly string[] = [
  ...new Set(sampleMeasures.filter(({ sampleType }) => sampleType !== undefined).map(({ resource }) => resource)),
];

/**
 * Expression for the measure of a sample of `timeseries`. For a resource without a measure, it returns the resource's name.
 */
export function measureOfSamples({ text }: ViewDialect, resource = 'resource', sampleType = 'sample_type'): string {
  const branches = typedResources.map((name) => {
    const types = sampleMeasures.filter((one) => one.resource === name && one.sampleType !== undefined);
    const ofTypes = types.map(({ id, sampleType: type }) => ` when ${text(type!)} then ${text(id)}`).join('');
    return ` when ${text(name)} then case ${sampleType}${ofTypes} else ${text(name)} end`;
  });
  return `case ${resource}${branches.join('')} else ${resource} end`;
}

/** Resources of `timeseries` whose samples are codes. Their unit is not converted. */
const withoutMeasure = timeseriesResources.filter(
  ({ resource, stream }) => stream === 'timeseries' && measureOfSample(resource, null) === undefined,
);

/** The conversion of samples, with conditions that are never NULL. */
export interface CountedSamples extends Conversion {
  /** The unit is known for the measure, or there is none. */
  readonly knownUnit: string;
  /** The unit is known, and the value is outside the plausible range of the measure. */
  readonly implausible: string;
  /** The sample counts for its measure: its unit is known, and its value is plausible. */
  readonly counts: string;
}

/** Returns the conversion of samples. `sample` is the alias of a relation with the columns of `timeseries`. */
export function countedSamples(dialect: ViewDialect, sample: string): CountedSamples {
  const { text } = dialect;
  const measure = measureOfSamples(dialect, `${sample}.resource`, `${sample}.sample_type`);
  const converted = conversion(dialect, measure, `${sample}.value`, `${sample}.unit`);
  const codes = withoutMeasure.map(
    ({ resource, unit }) =>
      ` or ${sample}.resource = ${text(resource)} and ${unitText(`${sample}.unit`)} in ('', ${text(unit.toLowerCase())})`,
  );
  const knownUnit = `(${converted.unit} is not null${codes.join('')})`;
  const implausible = `(not coalesce(${converted.plausible}, true))`;
  return { ...converted, knownUnit, implausible, counts: `(${knownUnit} and not ${implausible})` };
}
