import { count, counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { readSetting } from '../../config/configuration.ts';
import { nearestName } from '../../config/nearest-name.ts';
import { ProgramError } from '../../errors.ts';
import { deadLetterCount, loadSummary, refusedParts } from '../../report/load-report.ts';
import { type BackfillQuestion, backfill, serviceOf } from '../../run/backfill.ts';
import { pipelineSections } from '../../run/pipeline.ts';
import { type ExitCode, exit } from '../exit.ts';
import { errorText } from '../printing/errors.ts';
import { progressOn } from '../printing/progress.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { logFor, withoutErrors } from './command-logger.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb, wholeNumber } from './verb.ts';

interface BackfillFlags extends PlaceFlags {
  readonly user: readonly string[];
  readonly from: string;
  readonly to?: string;
  readonly resource?: readonly string[];
  readonly windowDays: number;
  readonly margin: number;
  readonly json?: true;
  readonly strict?: true;
  readonly dryRun?: true;
}

export function backfillCommand(surroundings: Surroundings): Command {
  const command = verb(
    'backfill',
    "fetch users' history from the service's REST API into the tables",
    'Fetches the data of users between two dates, both inclusive, from the service. Loads this data like events, through the streams into the tables. A later event wins over fetched data. If a backfill is interrupted, the same command resumes it. Repeating a completed backfill changes only row versions. A backfill always fetches all orders of a user, regardless of the dates.',
    [
      'aorta backfill --user 1b5a7e0c-… --from 2025-01-01 --to 2026-02-04',
      'aorta backfill --user 1b5a7e0c-… --from 2026-01-01 --resource sleep heartrate --json',
    ],
  )
    .requiredOption('--user <id...>', 'the service’s ids of the users')
    .requiredOption('--from <date>', 'first date, YYYY-MM-DD')
    .option('--to <date>', 'last date, YYYY-MM-DD (default: today)')
    .option('--resource <name...>', 'fetch only these resources, such as sleep, heartrate, profile or orders')
    .option('--window-days <n>', 'maximum number of days per request', wholeNumber('--window-days', 1, 366), 30)
    .option(
      '--margin <seconds>',
      'treat fetched data as this many seconds older than it is, so that recent events win',
      wholeNumber('--margin', 0, 604_800),
      3600,
    )
    .option('--strict', 'exit with code 3 if there are dead letters')
    .option('--dry-run', 'print what would be fetched, without fetching it')
    .option('--json', 'print one JSON object with the counts');
  return action(withPlace(command), async (flags: BackfillFlags): Promise<ExitCode> => {
    const { terminal } = surroundings;
    const setting = readSetting(flags, surroundings.environment, surroundings.folder, {
      needs: ['service', 'log', ...pipelineSections],
    });
    const question = await questionOf(flags);
    const { base_url: address } = serviceOf(setting);
    if (flags.dryRun) {
      const { planBackfill } = await import('@aorta/ingestion/backfill');
      const steps = planBackfill(question).length;
      const { users, from, to } = question;
      await terminal.out.write(
        flags.json
          ? `${JSON.stringify({ dry_run: true, users: users.length, from, to, steps_a_user: steps, ...setting.place })}\n`
          : `Would ask ${new URL(address).host} for ${counted(users.length, 'user')}, from ${from} to ${to}, in ${count(steps)} steps each. Nothing was done.\n`,
      );
      return exit.done;
    }
    const began = performance.now();
    using stop = surroundings.stopRequest();
    using progress = progressOn(terminal.err, { label: 'Backfill', unit: 'records' });
    const { ended, report, losses, problems } = await backfill({
      ...question,
      setting,
      signal: stop.signal,
      logger: withoutErrors(logFor(setting, 'warn')),
      onProgress: ({ done, all, tally }) =>
        progress.advance({ done, total: all, note: counted(tally.received, 'delivery', 'deliveries') }),
    });
    progress.end();
    if (ended === 'stopped') {
      await terminal.err.write(
        `Stopped after ${counted(report.received, 'delivery', 'deliveries')}. They are safe; run the same command again to resume.\n`,
      );
      return stoppedBy(stop.cause ?? 'SIGINT');
    }
    await terminal.out.write(
      flags.json
        ? `${JSON.stringify({ ...report, not_fetched: problems.map(({ user, error }) => ({ user, code: error.code, message: error.message })) })}\n`
        : loadSummary(report, performance.now() - began, setting.call),
    );
    const among = question.users.length;
    const errors = [
      ...problems.map(({ user, error }) => ({ of: among > 1 ? `User ${user} of ${among}: ` : '', error })),
      ...losses.map((error) => ({ of: '', error })),
    ];
    for (const { of, error } of errors) await terminal.err.write(`${of}${errorText(terminal.err, error, setting.call)}`);
    // A resource that the service has not enabled for the team is reported, but does not make the command fail.
    if (errors.some(({ error }) => error.code !== 'AORTA-SERVICE-NOT-ENABLED')) return exit.failed;
    return flags.strict && deadLetterCount(report) + refusedParts(report) > 0 ? exit.deadLetters : exit.done;
  });
}

async function questionOf(flags: BackfillFlags): Promise<BackfillQuestion> {
  const { backfillResources, beginningOf, dateOf } = await import('@aorta/ingestion/backfill');
  const { user: users, from, to = dateOf(Date.now()), resource: resources, windowDays: days, margin: marginS } = flags;
  for (const [option, date] of [
    ['--from', from],
    ['--to', to],
  ] as const) {
    if (Number.isNaN(beginningOf(date)))
      throw new ProgramError('AORTA-USAGE', { problem: `${option} needs a date`, hint: `For example ${option} 2026-01-31.` });
  }
  if (from > to)
    throw new ProgramError('AORTA-USAGE', {
      problem: '--from is after --to',
      hint: 'The first date must not be after the last date.',
    });
  // A request with an empty id would list all users.
  if (users.some((user) => user.trim() === ''))
    throw new ProgramError('AORTA-USAGE', {
      problem: '--user needs an id',
      hint: 'The column user_id of the table users has the ids.',
    });
  const unknown = resources?.findIndex((name) => !backfillResources.includes(name)) ?? -1;
  if (unknown >= 0) {
    const meant = nearestName(resources![unknown]!, backfillResources);
    throw new ProgramError('AORTA-USAGE', {
      problem: `--resource: value ${unknown + 1} is not a resource that can be fetched`,
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}The resources are ${backfillResources.join(', ')}.`,
    });
  }
  return { users: [...new Set(users)], from, to, resources, days, marginS };
}
