import { duckDbWith } from './loaded-views.ts';
import { questionsSuite } from './questions.suite.ts';

questionsSuite('DuckDB', duckDbWith, ({ query }) => query);
