import type { Finding } from '@aorta/connectors';
import { visible } from '@aorta/runtime';
import type { Command } from 'commander';
import { examine } from '../../report/examination.ts';
import { exit } from '../exit.ts';
import { type Output, styled } from '../printing/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb } from './verb.ts';

interface DoctorFlags extends PlaceFlags {
  readonly deep?: true;
  readonly repair?: true;
  readonly json?: true;
}

const marks = { ok: ['✓', 'green'], warn: ['!', 'yellow'], fail: ['✗', 'red'] } as const;

export function doctorCommand(surroundings: Surroundings): Command {
  const command = verb(
    'doctor',
    'check everything that a run needs',
    'Checks the machine, the configuration, the folders, and the connections to sources, streams, service and warehouse. Prints a remedy for each problem. Exits with code 1 if a check fails. Writes nothing without `--repair`.',
    ['aorta doctor', 'aorta doctor --config production.yaml --json'],
  )
    .option(
      '--deep',
      'also read all streams, the whole warehouse and its published copy, and compare the copy with what was published; a run that starts meanwhile finds the warehouse locked',
    )
    .option(
      '--repair',
      'with --deep, replace each damaged segment of a stream by its intact records and keep the damaged file, as a run does',
    )
    .option('--json', 'print a JSON array with one object per check');
  return action(withPlace(command), async (flags: DoctorFlags) => {
    if (flags.repair && !flags.deep) command.error('error: --repair needs --deep');
    const { out } = surroundings.terminal;
    const findings = await examine(flags, surroundings);
    await out.write(
      flags.json ? `${JSON.stringify(findings, undefined, 2)}\n` : findings.map((finding) => line(finding, out)).join(''),
    );
    return findings.some(({ state }) => state === 'fail') ? exit.failed : exit.done;
  });
}

function line({ check, state, found, code, remedy }: Finding, out: Output): string {
  const [mark, color] = marks[state];
  return `${styled(out, color, mark)} ${check.padEnd(14)} ${visible(found)}${code === undefined ? '' : ` [${code}]`}\n${remedy === undefined ? '' : `${' '.repeat(17)}${visible(remedy)}\n`}`;
}
