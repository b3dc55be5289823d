import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of the command line, the configuration and the verbs. */
export const programErrors = {
  'AORTA-CONFIG-NOT-FOUND': {
    class: 'usage',
    message: 'There is no configuration file {file}.',
    remedy: 'Give another path with --config, or leave --config away to use ./aorta.yaml or the defaults.',
  },
  'AORTA-CONFIG-SYNTAX': {
    class: 'usage',
    message: '{file}:{line}:{column}: this is not YAML ({problem}).',
    remedy: 'Correct the line; `aorta validate` checks the file again.',
  },
  'AORTA-CONFIG-INVALID': {
    class: 'usage',
    message: '{file}:{line}: {field}: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-CONFIG-VARIABLE': {
    class: 'usage',
    message: '{file}:{line}: the environment variable {variable} is not set.',
    remedy: 'Set it, or give a default after the name: {variable}:-value.',
  },
  'AORTA-USAGE': {
    class: 'usage',
    message: '{problem}.',
    remedy: '{hint}',
  },
  'AORTA-FILE-RECEIVED-AT': {
    class: 'usage',
    message: '{file} is a plain event file, and the tables already hold rows of another source.',
    remedy:
      'Say when these events were received with --received-at (RFC 3339): an old export must not win over newer rows by the time it was downloaded.',
  },
  'AORTA-KAFKA-LOCAL': {
    class: 'setup',
    message: 'No Kafka broker can be started on this machine: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-BIGQUERY-LOCAL': {
    class: 'setup',
    message: 'No local BigQuery can be started on this machine: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-SERVERS-ABSENT': {
    class: 'usage',
    message: '{command} needs the local servers of the repository, and the installed package does not have them.',
    remedy: 'Clone the repository, and run `npm start` there for the demonstration, or `npx {command}` for a local server.',
  },
  'AORTA-NOTICE-REFUSED': {
    class: 'setup',
    message: 'The webhook at {host} did not accept the notice (status {status}).',
    remedy:
      'Check historical_pulls.notices: the address, the secret by which notices are signed, and the authentication header. Then try `aorta pulls --test-notice` again.',
  },
  'AORTA-NOTICE-UNREACHABLE': {
    class: 'transient',
    message: 'The webhook at {host} could not be reached ({reason}).',
    remedy: 'Check historical_pulls.notices.webhook and the network. `aorta run` keeps notices and sends them again.',
  },
} as const satisfies ErrorCatalogue;

/** An error of {@link programErrors}. */
export const ProgramError = errorsOf(programErrors);
