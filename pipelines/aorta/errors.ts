import { type AortaError, type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of the command line, the configuration and the commands. */
export const programErrors = {
  'AORTA-CONFIG-NOT-FOUND': {
    class: 'usage',
    message: 'There is no configuration file {file}.',
    remedy: 'Give a different path with --config, or omit --config to use ./aorta.yaml or the defaults.',
  },
  'AORTA-CONFIG-SYNTAX': {
    class: 'usage',
    message: '{file}:{line}:{column}: this is not valid YAML ({problem}).',
    remedy: 'Correct the line, then check the file with `aorta validate`.',
  },
  'AORTA-CONFIG-INVALID': {
    class: 'usage',
    message: '{file}:{line}: {field}: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-CONFIG-VARIABLE': {
    class: 'usage',
    message: '{file}:{line}: the environment variable {variable} is not set.',
    remedy: 'Set it, or write a default after the name: {variable}:-value.',
  },
  'AORTA-USAGE': {
    class: 'usage',
    message: '{problem}.',
    remedy: '{hint}',
  },
  'AORTA-PATH-REFUSED': {
    class: 'usage',
    message: 'Aorta cannot use the path {path}: {problem}.',
    remedy: 'Correct the path, or choose a different one.',
  },
  'AORTA-OUTPUT-UNWRITABLE': {
    class: 'setup',
    message: 'The standard output cannot be written ({code}).',
    remedy: 'Free space, or send the output elsewhere. Data that the command has loaded is safe.',
  },
  'AORTA-FILE-RECEIVED-AT': {
    class: 'usage',
    message: '{file} is a plain event file, and the tables already hold rows of another source.',
    remedy:
      'Use --received-at to give the time at which these events were received (RFC 3339). Otherwise an old export that was downloaded today would replace newer rows.',
  },
  'AORTA-RECEIVED-AHEAD': {
    class: 'usage',
    message: 'The time of receipt {time} is more than 5 minutes ahead of the clock of this computer ({now}).',
    remedy:
      'Nothing was loaded. Give the time at which the events were received, and check its year. Later events could not replace events that were received in the future.',
  },
  'AORTA-KAFKA-LOCAL': {
    class: 'setup',
    message: 'The local Kafka broker cannot start: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-BIGQUERY-LOCAL': {
    class: 'setup',
    message: 'The local BigQuery cannot start: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-SERVERS-ABSENT': {
    class: 'usage',
    message: '{command} needs the local servers of the repository, which the installed package does not contain.',
    remedy: 'Clone the repository. There, run `npm start` for the demonstration, or `npx {command}` for a local server.',
  },
  'AORTA-STATE-LOCKED': {
    class: 'setup',
    message: 'Process {pid} is already running the service with the state in {folder}.',
    remedy:
      'Stop that process, or give a different --folder. The other commands of `aorta service` control the service while it runs.',
  },
  'AORTA-STATE-UNUSABLE': {
    class: 'setup',
    message: 'The service cannot use its state: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-CONTROL-UNREACHABLE': {
    class: 'transient',
    message: 'The control port {url} could not be reached ({reason}).',
    remedy:
      'Start the service with `aorta service`. If it listens elsewhere, give the address of its control port with --control-url or AORTA_SERVICE_CONTROL_URL.',
  },
  'AORTA-CONTROL-ANSWER': {
    class: 'setup',
    message: '{url} did not answer {request} as a control port does ({problem}).',
    remedy:
      'Check the address that --control-url or AORTA_SERVICE_CONTROL_URL gives. The API has a different port. If the address is right, restart the service.',
  },
  'AORTA-CONTROL-REFUSED': {
    class: 'usage',
    message: 'The service refused {request} with status {status}: {problem}.',
    remedy: '{hint}',
  },
  'AORTA-NOTICE-REFUSED': {
    class: 'setup',
    message: 'The webhook at {host} did not accept the notice (status {status}).',
    remedy:
      'Check historical_pulls.notices: the address, the secret that signs notices, and the authentication header. Then run `aorta pulls --test-notice` again.',
  },
  'AORTA-NOTICE-UNREACHABLE': {
    class: 'transient',
    message: 'The webhook at {host} could not be reached ({reason}).',
    remedy: 'Check historical_pulls.notices.webhook and the network. `aorta run` keeps the notices and retries.',
  },
} as const satisfies ErrorCatalogue;

export const ProgramError = errorsOf(programErrors);

/** The error for an invalid configuration, with all its problems. */
export class ConfigurationRefused extends Error {
  readonly problems: readonly AortaError[];

  constructor(problems: readonly AortaError[]) {
    super('The configuration was refused.');
    this.name = 'ConfigurationRefused';
    this.problems = problems;
  }
}
