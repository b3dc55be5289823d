import { once } from 'node:events';
import { ProgramError } from '../errors.ts';
import { type ExitCode, exit } from '../exit.ts';
import { stoppedBy } from '../stop-request.ts';
import type { Surroundings } from '../surroundings.ts';
import { notStarted } from './local-server.ts';
import { repositoryOnly } from './repository-only.ts';
import { action, verb } from './verb.ts';
import { wholeNumber } from './whole-number.ts';

interface BigQueryFlags {
  readonly project: string;
  readonly port: number;
  readonly json?: true;
}

const highestPort = 65_535;

export function bigQueryCommand(surroundings: Surroundings) {
  const command = verb(
    'bigquery',
    'a local server that the official client takes for BigQuery',
    'Serves one project of BigQuery on 127.0.0.1 until SIGINT (which ends with 130) or SIGTERM (which ends with 0), and prints what to put into aorta.yaml. It needs Docker, or Python 3.11 or newer, and a minute and the network when it is first started. Tables are gone when it ends. POST to the control port injects faults, switches quotas on and puts the clock forward.',
    ['aorta dev bigquery', 'aorta dev bigquery --project my-project --port 0 --json'],
  )
    .option('--project <id>', 'the project', 'test')
    .option('--port <n>', 'port of the server, 0 for any that is free', wholeNumber('--port', 0, highestPort), 9050)
    .option('--json', 'one JSON object with ports, address and project');
  return action(command, (flags: BigQueryFlags) => serveBigQuery(flags, surroundings));
}

async function serveBigQuery(flags: BigQueryFlags, { terminal, stopRequest }: Surroundings): Promise<ExitCode> {
  const { project, port } = flags;
  if (!/^[a-z][a-z0-9-]{3,29}$/.test(project))
    throw new ProgramError('AORTA-USAGE', {
      problem: '--project needs 4 to 30 small letters, digits and hyphens',
      hint: 'Write --project test.',
    });
  const server = await repositoryOnly('aorta dev bigquery', () => import('@aorta/bigquery-server'));
  const fetching = () => void terminal.err.write('Fetching the packages of the local BigQuery from PyPI (once; a minute)…\n');
  await using provided = await server.provideBigQuery({ own: true, port, project, fetching }).catch((error: unknown) => {
    throw notStarted(error, 'AORTA-BIGQUERY-LOCAL', server);
  });
  using stop = stopRequest({ quiet: true });
  const { apiEndpoint = '', controlPort } = provided;
  const facts = { port: Number(new URL(apiEndpoint).port), control_port: controlPort, api_endpoint: apiEndpoint, project };
  await terminal.out.write(flags.json ? `${JSON.stringify(facts)}\n` : settings(project, apiEndpoint));
  await terminal.err.write(`Serving project ${project} on port ${facts.port}, faults on port ${controlPort}. Ctrl-C ends it.\n`);
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  return stop.cause === 'SIGTERM' ? exit.done : stoppedBy('SIGINT');
}

/** Returns the settings for `aorta.yaml`. */
function settings(project: string, apiEndpoint: string): string {
  return [
    '# in aorta.yaml',
    'warehouse:',
    '  type: bigquery',
    `  project: ${project}`,
    '  dataset: health',
    `  api_endpoint: ${apiEndpoint}`,
    '',
  ].join('\n');
}
