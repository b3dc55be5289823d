import { isSampleMeasure, loincSource, loincTerms, type Measure, measures } from '@aorta/schemas';
import type { LiteralColumn, View, ViewDialect } from './dialect.ts';

interface MeasureColumn extends LiteralColumn {
  readonly doc: string;
  readonly of: (measure: Measure) => string | number | undefined;
}

/** The columns of the view, each with a function that returns its value for a measure. */
const columns: readonly MeasureColumn[] = [
  { name: 'measure', type: 'string', doc: 'Id of the measure.', of: ({ id }) => id },
  { name: 'display_name', type: 'string', doc: 'Name for display.', of: ({ name }) => name },
  {
    name: 'kind',
    type: 'string',
    doc: '`additive_interval`, `additive_event`, `level` or `duration`.',
    of: ({ kind }) => kind,
  },
  { name: 'unit', type: 'string', doc: 'The canonical unit as a UCUM code.', of: ({ unit }) => unit },
  {
    name: 'plausible_low',
    type: 'float64',
    doc: 'Least plausible value, in the canonical unit.',
    of: ({ plausible: [low] }) => low,
  },
  {
    name: 'plausible_high',
    type: 'float64',
    doc: 'Greatest plausible value, in the canonical unit.',
    of: ({ plausible: [, high] }) => high,
  },
  { name: 'loinc_code', type: 'string', doc: 'LOINC code; NULL if none fits.', of: ({ loinc }) => loinc?.code },
  {
    name: 'loinc_match',
    type: 'string',
    doc: '`exact` if the code means the same, `broader` if it covers the measure and more, or `none`.',
    of: ({ loinc }) => loinc?.match ?? 'none',
  },
  {
    name: 'loinc_name',
    type: 'string',
    doc: 'Long common name of the LOINC term.',
    of: ({ loinc }) => (loinc === undefined ? undefined : loincTerms[loinc.code].name),
  },
  {
    name: 'loinc_source',
    type: 'string',
    doc: 'The published list of LOINC codes that contains the code: npm package, version and file.',
    of: ({ loinc }) => (loinc === undefined ? undefined : loincSource),
  },
  {
    name: 'origin_table',
    type: 'string',
    doc: 'Table with the values.',
    of: (measure) => (isSampleMeasure(measure) ? 'timeseries' : measure.table),
  },
  {
    name: 'origin_column',
    type: 'string',
    doc: 'Column with the values.',
    of: (measure) => (isSampleMeasure(measure) ? 'value' : measure.column),
  },
  {
    name: 'resource',
    type: 'string',
    doc: 'Timeseries resource; NULL if the values are not in `timeseries`.',
    of: (measure) => (isSampleMeasure(measure) ? measure.resource : undefined),
  },
  {
    name: 'sample_type',
    type: 'string',
    doc: 'Sample type; NULL for all types of the resource that have no measure of their own.',
    of: (measure) => (isSampleMeasure(measure) ? measure.sampleType : undefined),
  },
];

/** One row per measure: each timeseries resource and sample type, and each summary column that is a measure. */
export function measuresView({ rows }: ViewDialect): View {
  return {
    name: 'measures',
    doc: 'One row per measure: each timeseries resource and sample type, and each summary column that is a measure.',
    columns: columns.map(({ name, type, doc }) => ({ name, type, doc })),
    query: rows(
      columns,
      measures.map((measure) => columns.map(({ of }) => of(measure) ?? null)),
    ),
  };
}
