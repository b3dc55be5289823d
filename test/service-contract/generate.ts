import { writeOrCheck } from '@aorta/schemas/generated-files';
import { Service } from '@aorta/service';
import { operationsPage } from './operations-page.ts';

/** Writes the list of operations. */
const service = new Service({ runs: false });
writeOrCheck({ 'docs/reference/service-operations.md': operationsPage(service) }, 'the service');
await service.close();
