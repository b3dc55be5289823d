import { SEED } from '../stage/seed.ts';
import { killBoth } from './killing.ts';

killBoth(2, SEED, 3);
