import { damagedFiles } from './files.suite.ts';

damagedFiles('records are landed in the warehouse', 'land:durable', 1, 3);
