import { writeOrCheck } from '@aorta/schemas/generated-files';
import { controlOperations, Service } from '@aorta/service';
import { authenticationPage } from './authentication-page.ts';
import { controlExamples } from './control-examples.ts';
import { controlPage } from './control-page.ts';
import { operationsPage } from './operations-page.ts';

/** Writes the list of operations, their statuses by credential, and the requests of the control port. */
const service = new Service({ runs: false });
writeOrCheck(
  {
    'docs/reference/service-operations.md': operationsPage(service),
    'docs/reference/service-authentication.md': authenticationPage(service),
    'docs/reference/service-control.md': controlPage(controlOperations(service), await controlExamples()),
  },
  'the service',
);
await service.close();
