import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const serviceErrors = {
  'AORTA-SERVICE-KEY': {
    class: 'setup',
    message: 'The service at {host} rejects the API key.',
    remedy:
      'Check service.key: it must be a team key for the region and environment of service.base_url. Also check the header name (service.key_header).',
  },
  'AORTA-SERVICE-FORBIDDEN': {
    class: 'setup',
    message: 'The service at {host} does not allow {operation} with this API key.',
    remedy: 'Check the permissions and the plan of the team.',
  },
  'AORTA-SERVICE-NOT-ENABLED': {
    class: 'setup',
    message: 'The service at {host} has not enabled {operation} for this team: it is in closed beta.',
    remedy: 'Ask the service to enable it, or turn off the feature that needs it. Everything else continues.',
  },
  'AORTA-SERVICE-GONE': {
    class: 'data',
    message: 'The service at {host} no longer has the requested object: {operation}.',
    remedy: 'Nothing to do: the object has been deleted there.',
  },
  'AORTA-SERVICE-REFUSED': {
    class: 'setup',
    message: 'The service at {host} refused {operation} (status {status}).',
    remedy:
      'Check service.base_url: it must be the address without the version, such as https://api.example.com. If it is correct, the API may have changed.',
  },
  'AORTA-SERVICE-BUSY': {
    class: 'transient',
    message: 'The service at {host} cannot serve {operation} now (status {status}).',
    remedy: 'Aorta retries later. If this repeats, lower service.concurrency, or call the service less often.',
  },
  'AORTA-SERVICE-UNREACHABLE': {
    class: 'transient',
    message: 'The service at {host} did not answer {operation} ({reason}).',
    remedy: 'Aorta retries later. If the problem persists, check service.base_url, the network, and service.deadline_s.',
  },
  'AORTA-SERVICE-ANSWER': {
    class: 'transient',
    message: '{host} answered {operation} with {problem}.',
    remedy: 'Check service.base_url, and any proxy in between: an HTML page comes from a proxy or another host.',
  },
  'AORTA-SERVICE-TOO-LARGE': {
    class: 'data',
    message: 'The answer from {host} to {operation} has more than {limit} bytes.',
    remedy: 'Raise service.answer_bytes, or request less at a time.',
  },
  'AORTA-SERVICE-CURSOR': {
    class: 'transient',
    message: 'The pages of {operation} repeat: after {pages} pages the service sent an earlier page again.',
    remedy:
      'Aorta keeps the received pages, and later starts again from the first one. If the problem persists, report it to the service.',
  },
} as const satisfies ErrorCatalogue;

export const ServiceError = errorsOf(serviceErrors);

export type ServiceErrorCode = keyof typeof serviceErrors;
