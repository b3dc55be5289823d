import { SEED } from '../stage/seed.ts';
import { killReceivers } from './killing.ts';

killReceivers(5, SEED);
