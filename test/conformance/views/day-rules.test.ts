import { dayRulesSuite } from './day-rules.suite.ts';
import { duckDbWith } from './loaded-views.ts';

dayRulesSuite('DuckDB', duckDbWith);
