import { carryOn, openAt } from './place.ts';

/**
 * Lands and merges batches, and kills itself with SIGKILL when it passes STEP: `node life.process.ts ADDRESS PROJECT DATASET STEP
 * BATCHES`. If STEP is `never`, it exits normally after the last merge.
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
