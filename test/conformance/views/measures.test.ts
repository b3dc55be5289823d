import { canonicalUnitsCases } from './canonical-units.cases.ts';
import { observationsCases } from './observations.cases.ts';
import { plainDuckDb } from './plain-tables.ts';
import { qualityFlagsCases } from './quality-flags.cases.ts';

/** `test/conformance/views/measures-bigquery.test.ts` runs the same cases on BigQuery. */

canonicalUnitsCases(plainDuckDb);
observationsCases(plainDuckDb);
qualityFlagsCases(plainDuckDb);
