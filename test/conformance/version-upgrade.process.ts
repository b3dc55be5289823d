import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/warehouses/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/warehouses/duckdb/module';

/** Opens a warehouse and kills itself at a step: `node version-upgrade.process.ts PATH STEP`. */
const [path, last] = process.argv.slice(2);
await openDuckDbWarehouse({
  ...duckDbOptions.parse({ type: 'duckdb', path }),
  privacy: privacyOptions.parse({}),
  onStep: (step) => {
    if (step === last) process.kill(process.pid, 'SIGKILL');
  },
});
