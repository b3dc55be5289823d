import { carryOn, openAt } from './place.ts';

/**
 * One life of a worker: lands and merges so many batches, and ends itself without any notice when it passes a step.
 * `node life.process.ts ADDRESS PROJECT DATASET STEP BATCHES`; the step `never` lets it live.
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
