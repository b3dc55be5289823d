import { SEED } from '../stage/seed.ts';
import { killBoth } from './killing.ts';

// The seeds differ from those of kill.test.ts, which `npm test` runs.
killBoth(30, SEED + 1000, 2);
