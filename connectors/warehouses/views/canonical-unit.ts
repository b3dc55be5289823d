import { measureOfSample, type SampleMeasure, type SentUnit, sampleMeasures } from '@aorta/schemas';
import type { ViewDialect } from './dialect.ts';
import { unitText } from './unit-conversions.ts';

/**
 * Expression that converts the values of one `timeseries` resource to the canonical unit. It is NULL if the unit is not
 * known for the measure, or if the resource has no measure.
 */
export function canonicalValue(dialect: ViewDialect, resource: string): string {
  return byMeasure(dialect, resource, ({ sent }) => convertedValue(dialect, sent)) ?? 'case when false then value end';
}

/** Expression for the UCUM code of the canonical unit of one resource's values. It is NULL if the unit as sent is not known. */
export function canonicalUnit(dialect: ViewDialect, resource: string): string {
  const { text } = dialect;
  const of = ({ sent, unit }: SampleMeasure): string => {
    return `case when ${isSpelled(text, ['', ...sent.flatMap((one) => one.spelled)])} then ${text(unit)} end`;
  };
  return byMeasure(dialect, resource, of) ?? 'case when false then unit end';
}

/** Expression that converts a value to the first of the given units. A value without a unit is already in it. */
function convertedValue({ text }: ViewDialect, [first, ...others]: SampleMeasure['sent']): string {
  const branches = others.map((one) => ` when ${isSpelled(text, one.spelled)} then ${conversion(one)}`);
  return `case when ${isSpelled(text, ['', ...first.spelled])} then value${branches.join('')} end`;
}

function isSpelled(text: ViewDialect['text'], spelled: readonly string[]): string {
  return spelled.length === 1
    ? `${unitText('unit')} = ${text(spelled[0]!)}`
    : `${unitText('unit')} in (${spelled.map((one) => text(one)).join(', ')})`;
}

function conversion({ minus, times, per }: SentUnit): string {
  const shifted = minus === undefined ? 'value' : `(value - ${minus})`;
  return `${shifted}${times === undefined ? '' : ` * ${times}`}${per === undefined ? '' : ` / ${per}`}`;
}

/** Expression that chooses `of(measure)` by sample type. Returns undefined if the resource has no measure. */
function byMeasure({ text }: ViewDialect, resource: string, of: (measure: SampleMeasure) => string): string | undefined {
  const ofOthers = measureOfSample(resource, null);
  if (ofOthers === undefined) return undefined;
  const others = of(ofOthers);
  const typed = sampleMeasures.flatMap((measure) =>
    measure.resource === resource && measure.sampleType !== undefined ? [{ type: measure.sampleType, of: of(measure) }] : [],
  );
  const branches = [...Map.groupBy(typed, (one) => one.of)]
    .filter(([expression]) => expression !== others)
    .map(([expression, same]) => ` when sample_type in (${same.map(({ type }) => text(type)).join(', ')}) then ${expression}`);
  return branches.length === 0 ? others : `case${branches.join('')} else ${others} end`;
}
