import { SEED } from '../stage/seed.ts';
import { killReceivers } from './killing.ts';

killReceivers(2, SEED);
