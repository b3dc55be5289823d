import { SEED } from '../stage/seed.ts';
import { killReceivers } from './killing.ts';

// The seeds differ from those of kill.test.ts, which `npm test` runs.
killReceivers(30, SEED + 1000);
