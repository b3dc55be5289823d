import { Command } from 'commander';
import { ProgramError } from '../../../errors.ts';
import type { Surroundings } from '../../surroundings.ts';
import { verb } from '../verb.ts';
import type { ControlPort } from './control-port.ts';
import { controlVerb } from './control-verb.ts';

interface Clock {
  /** RFC 3339. */
  readonly now: string;
  readonly runs: boolean;
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

export function clockCommand(surroundings: Surroundings): Command {
  const clock = (
    name: string,
    texts: readonly [summary: string, description: string],
    ask: (port: ControlPort) => Promise<Clock>,
  ) => controlVerb(surroundings, verb(name, ...texts, [`aorta service clock ${name}`]), { ask, say });
  const setRunning = (runs: boolean) => (port: ControlPort) => port.post<Clock>('/clock/run', { runs });
  return new Command('clock')
    .summary('show, advance, run and stop the virtual clock')
    .description(
      'The service has a virtual clock, which never goes back. Its jobs, events and answers have the time of this clock.',
    )
    .addCommand(
      clock(
        'status',
        ['show the time of the clock, and whether it runs', 'Shows the virtual time, and whether the clock runs or is stopped.'],
        (port) => port.get('/clock'),
      ),
    )
    .addCommand(advanceCommand(surroundings))
    .addCommand(clock('run', ['let the clock run', 'Lets the clock run as fast as the clock of this machine.'], setRunning(true)))
    .addCommand(
      clock(
        'stop',
        ['stop the clock', 'Stops the clock. It then moves only with `aorta service clock advance`.'],
        setRunning(false),
      ),
    );
}

function advanceCommand(surroundings: Surroundings): Command {
  const command = verb(
    'advance <duration>',
    'move the clock, and do what is due',
    'Moves the clock by a duration such as 45s, 30m, 12h, 7d or 2w. With 0s, the clock stays, and the service does what is due. The command ends when the service has done all jobs that are due by then, in their order: new data, historical pulls, and deliveries with their retries.',
    ['aorta service clock advance 12h', 'aorta service clock advance 90d --json'],
  );
  return controlVerb(surroundings, command, {
    ask: (port, _: object, duration: string) => port.post<Clock>('/clock/advance', { seconds: secondsOf(duration) }),
    say,
  });
}

function say({ now, runs }: Clock): string {
  return `The clock shows ${now} and ${runs ? 'runs' : 'is stopped'}.\n`;
}

function secondsOf(duration: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(duration) ?? [];
  const seconds = Number(number) * (SECONDS[unit ?? ''] ?? 0);
  if (seconds >= 0) return seconds;
  throw new ProgramError('AORTA-USAGE', {
    problem: `${duration} is not a duration`,
    hint: 'Write a number and a unit: 45s, 30m, 12h, 7d or 2w.',
  });
}
