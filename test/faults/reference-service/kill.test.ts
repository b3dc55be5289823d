import { SEED } from '../stage/seed.ts';
import { killBoth } from './killing.ts';

killBoth(1, SEED, 3);
