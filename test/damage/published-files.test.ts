import { damagedFiles } from './files.suite.ts';

damagedFiles('the tables are published', 'publish:renamed', 1, 5);
