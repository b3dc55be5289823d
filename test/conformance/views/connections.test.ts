import { connectionsSuite } from './connections.suite.ts';
import { duckDbWith } from './loaded-views.ts';

connectionsSuite('DuckDB', duckDbWith);
