import { writeOrCheck } from '@aorta/schemas/generated-files';
import { Service } from '@aorta/service';
import { authenticationPage } from './authentication-page.ts';
import { operationsPage } from './operations-page.ts';

/** Writes the list of operations, and their statuses by credential. */
const service = new Service({ runs: false });
writeOrCheck(
  {
    'docs/reference/service-operations.md': operationsPage(service),
    'docs/reference/service-authentication.md': authenticationPage(service),
  },
  'the service',
);
await service.close();
