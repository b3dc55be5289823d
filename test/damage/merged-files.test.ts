import { damagedFiles } from './files.suite.ts';

damagedFiles('records are merged into the tables', 'merge:durable', 1, 4);
