import { carryOn, openAt } from './place.ts';

/**
 * Lands and merges batches, and kills itself with SIGKILL when it passes STEP: `node life.process.ts ADDRESS PROJECT DATASET
 * STEP BATCHES`. With the step `never`, it runs to its end.
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
