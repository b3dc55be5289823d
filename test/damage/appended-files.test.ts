import { damagedFiles } from './files.suite.ts';

damagedFiles('records are appended, and their source has not committed them', 'append:durable', 1, 1);
