import { SEED } from '../stage/seed.ts';
import { killBoth } from './killing.ts';

killBoth(5, SEED, 3);
