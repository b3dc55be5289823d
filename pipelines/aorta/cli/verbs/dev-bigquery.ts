import { once } from 'node:events';
import { ProgramError } from '../../errors.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { type AllowedHosts, allowedBy, notStarted, repositoryOnly, withAllowedHosts, yamlWord } from './local-server.ts';
import { action, verb, wholeNumber } from './verb.ts';

interface BigQueryFlags extends AllowedHosts {
  readonly project: string;
  readonly port: number;
  readonly json?: true;
}

const highestPort = 65_535;

export function bigQueryCommand(surroundings: Surroundings) {
  const command = verb(
    'bigquery',
    'run a local server that replaces BigQuery',
    'Serves one BigQuery project on 127.0.0.1 until SIGINT (exit code 130) or SIGTERM (exit code 0). Prints the settings for aorta.yaml. The official client works with this server. The server needs Docker, or Python 3.11 or newer. The first start downloads packages and takes about a minute. The server loses its tables when it stops. POST requests to the control port inject faults, enforce quotas and advance the clock. Both ports refuse requests from pages in a browser.',
    ['aorta dev bigquery', 'aorta dev bigquery --project my-project --port 0 --json'],
  )
    .option('--project <id>', 'project id', 'test')
    .option('--port <n>', 'port of the server; 0 picks a free one', wholeNumber('--port', 0, highestPort), 9050)
    .option('--json', 'print one JSON object with ports, address and project');
  return action(withAllowedHosts(command), (flags: BigQueryFlags) => serveBigQuery(flags, surroundings));
}

async function serveBigQuery(flags: BigQueryFlags, { terminal, stopRequest }: Surroundings): Promise<ExitCode> {
  const { project, port } = flags;
  if (!/^[a-z][a-z0-9-]{3,29}$/.test(project))
    throw new ProgramError('AORTA-USAGE', {
      problem: '--project needs 4 to 30 lowercase letters, digits and hyphens, beginning with a letter',
      hint: 'Write --project test.',
    });
  const server = await repositoryOnly('aorta dev bigquery', () => import('@aorta/bigquery-server'));
  const fetching = () =>
    void terminal.err.write('Downloading the packages of the local BigQuery from PyPI (once, about a minute) …\n');
  await using provided = await server
    .provideBigQuery({ own: true, port, project, fetching, ...allowedBy(flags) })
    .catch((error: unknown) => {
      throw notStarted(error, 'AORTA-BIGQUERY-LOCAL', server);
    });
  using stop = stopRequest({ quiet: true });
  const { apiEndpoint = '', controlPort } = provided;
  const facts = { port: Number(new URL(apiEndpoint).port), control_port: controlPort, api_endpoint: apiEndpoint, project };
  await terminal.out.write(flags.json ? `${JSON.stringify(facts)}\n` : settings(project, apiEndpoint));
  await terminal.err.write(
    `Serving project ${project} on port ${facts.port}, with control port ${controlPort}. Press Ctrl-C to stop.\n`,
  );
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  return stop.cause === 'SIGTERM' ? exit.done : stoppedBy('SIGINT');
}

function settings(project: string, apiEndpoint: string): string {
  return [
    '# in aorta.yaml',
    'warehouse:',
    '  type: bigquery',
    `  project: ${yamlWord(project)}`,
    '  dataset: health',
    `  api_endpoint: ${apiEndpoint}`,
    '',
  ].join('\n');
}
