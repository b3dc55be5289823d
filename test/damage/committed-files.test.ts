import { damagedFiles } from './files.suite.ts';

damagedFiles('records are committed at their source', 'source:committed', 1, 2);
