import { duckDbWith } from './loaded-views.ts';
import { workoutsSuite } from './workouts.suite.ts';

workoutsSuite('DuckDB', duckDbWith);
