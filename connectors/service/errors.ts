import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const serviceErrors = {
  'AORTA-SERVICE-KEY': {
    class: 'setup',
    message: 'The service at {host} does not know the API key.',
    remedy:
      'Check service.key, that it is a team key of the region and environment of service.base_url, and the name of the header (service.key_header).',
  },
  'AORTA-SERVICE-FORBIDDEN': {
    class: 'setup',
    message: 'The service at {host} does not let this key do {operation}.',
    remedy: 'Check the rights and the plan of the team.',
  },
  'AORTA-SERVICE-NOT-ENABLED': {
    class: 'setup',
    message: 'The service at {host} has not opened {operation} for this team: it is in closed beta.',
    remedy: 'Ask the service to enable it, or leave out what needs it. Everything else goes on.',
  },
  'AORTA-SERVICE-GONE': {
    class: 'data',
    message: 'The service at {host} has no such thing any more: {operation}.',
    remedy: 'Nothing to do: what was asked for has been deleted there.',
  },
  'AORTA-SERVICE-REFUSED': {
    class: 'setup',
    message: 'The service at {host} refused {operation} (status {status}).',
    remedy:
      'Check service.base_url: it is the address without the version, such as https://api.example.com. If that is right, the API may have changed.',
  },
  'AORTA-SERVICE-BUSY': {
    class: 'transient',
    message: 'The service at {host} had no time for {operation} (status {status}).',
    remedy: 'It is asked again later. If that repeats, lower service.concurrency, or the pace of what asks.',
  },
  'AORTA-SERVICE-UNREACHABLE': {
    class: 'transient',
    message: 'The service at {host} did not answer {operation} ({reason}).',
    remedy: 'It is asked again later. If it lasts, check service.base_url, the network, and service.deadline_s.',
  },
  'AORTA-SERVICE-ANSWER': {
    class: 'transient',
    message: 'What {host} answered to {operation} is {problem}.',
    remedy: 'Check service.base_url and whatever stands between: a page for people comes from a proxy, or from another host.',
  },
  'AORTA-SERVICE-TOO-LARGE': {
    class: 'data',
    message: 'The answer of {host} to {operation} has more than {limit} bytes.',
    remedy: 'Raise service.answer_bytes, or ask for less at a time.',
  },
  'AORTA-SERVICE-CURSOR': {
    class: 'transient',
    message: 'The pages of {operation} go round in a circle: after {pages} pages a cursor came again.',
    remedy: 'It is asked again from the beginning later; what came was taken. If it lasts, tell the service.',
  },
} as const satisfies ErrorCatalogue;

export const ServiceError = errorsOf(serviceErrors);

export type ServiceErrorCode = keyof typeof serviceErrors;
