import { carryOn, openAt } from './place.ts';

/**
 * Lands and merges batches, and kills itself with SIGKILL when it reaches STEP. If STEP is `never`, it exits normally after
 * the last merge. Usage: `node life.process.ts ADDRESS PROJECT DATASET STEP BATCHES`.
 */
const [apiEndpoint = '', project = '', dataset = '', step, batches] = process.argv.slice(2);
const warehouse = await openAt(
  { apiEndpoint, project, dataset },
  {
    onStep: (passing) => {
      if (passing === step) process.kill(process.pid, 'SIGKILL');
    },
  },
);
await carryOn(warehouse, Number(batches));
await warehouse.close();
