import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { afterAll, beforeAll, describe } from 'vitest';
import { canonicalUnitsCases } from './canonical-units.cases.ts';
import { observationsCases } from './observations.cases.ts';
import { type OpenPlainWarehouse, plainBigQuery } from './plain-tables.ts';
import { qualityFlagsCases } from './quality-flags.cases.ts';

const problem = await whyNoBigQuery();

describe.skipIf(problem !== undefined)(`BigQuery${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  beforeAll(async () => {
    provided = await provideBigQuery();
  });
  afterAll(() => provided?.stop());

  const open: OpenPlainWarehouse = (tables) => plainBigQuery(provided, tables);
  canonicalUnitsCases(open);
  observationsCases(open);
  qualityFlagsCases(open);
});
