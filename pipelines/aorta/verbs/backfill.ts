import { count, counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { type BackfillQuestion, backfill, serviceOf } from '../backfilling.ts';
import { readSetting } from '../configuration/configuration.ts';
import { nearestName } from '../configuration/nearest-name.ts';
import { ProgramError } from '../errors.ts';
import { type ExitCode, exit } from '../exit.ts';
import { logFor, withoutErrors } from '../log.ts';
import { errorText } from '../printing/errors.ts';
import { loadSummary } from '../printing/load-summary.ts';
import { progressOn } from '../printing/progress.ts';
import { deadLetterCount, refusedParts } from '../report.ts';
import { stoppedBy } from '../stop-request.ts';
import type { Surroundings } from '../surroundings.ts';
import { action, type PlaceFlags, placeWords, verb, withPlace } from './verb.ts';
import { wholeNumber } from './whole-number.ts';

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
    "a user's history out of the service's REST API into the tables",
    'Fetches what the service has of users between two dates (both included), and takes it the way that its events take: through streams into tables. It never wins over an event that came after it. One that was interrupted goes on where it was; one that is done again changes nothing but versions. The orders of a user are fetched whole, whatever the dates.',
    [
      'aorta backfill --user 1b5a7e0c-… --from 2025-01-01 --to 2026-02-04',
      'aorta backfill --user 1b5a7e0c-… --from 2026-01-01 --resource sleep heartrate --json',
    ],
  )
    .requiredOption('--user <id...>', "the service's ids of users")
    .requiredOption('--from <date>', 'first date, YYYY-MM-DD')
    .option('--to <date>', 'last date, YYYY-MM-DD (default: today)')
    .option('--resource <name...>', 'only these summaries and timeseries, `profile` or `orders`')
    .option('--window-days <n>', 'days that one question covers at most', wholeNumber('--window-days', 1, 366), 30)
    .option('--margin <seconds>', 'an answer counts as older than it is by so much', wholeNumber('--margin', 0, 604_800), 3600)
    .option('--strict', 'end with 3 where there are dead letters')
    .option('--dry-run', 'say what would be asked for, and do nothing')
    .option('--json', 'one JSON object with the counts');
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one command, read from top to bottom
  return action(withPlace(command), async (flags: BackfillFlags): Promise<ExitCode> => {
    const { terminal } = surroundings;
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
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
    const { ended, report, problems } = await backfill({
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
        `Stopped after ${counted(report.received, 'delivery', 'deliveries')}; what was taken is safe. The same command goes on there.\n`,
      );
      return stoppedBy(stop.cause ?? 'SIGINT');
    }
    await terminal.out.write(
      flags.json
        ? `${JSON.stringify({ ...report, not_fetched: problems.map(({ user, error }) => ({ user, code: error.code, message: error.message })) })}\n`
        : loadSummary(report, performance.now() - began, placeWords(flags)),
    );
    const several = question.users.length > 1;
    for (const { user, error } of problems)
      await terminal.err.write(
        `${several ? `Of user ${user} of ${question.users.length}: ` : ''}${errorText(terminal.err, error)}`,
      );
    // A resource that the service has not enabled for the team is reported, but is not a failure.
    if (problems.some(({ error }) => error.code !== 'AORTA-SERVICE-NOT-ENABLED')) return exit.failed;
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
    throw new ProgramError('AORTA-USAGE', { problem: '--from is after --to', hint: 'Both dates are part of the range.' });
  // An empty id would request the list of all users.
  if (users.some((user) => user.trim() === ''))
    throw new ProgramError('AORTA-USAGE', { problem: '--user needs an id', hint: 'The table users has them: user_id.' });
  const unknown = resources?.findIndex((name) => !backfillResources.includes(name)) ?? -1;
  if (unknown >= 0) {
    const meant = nearestName(resources![unknown]!, backfillResources);
    throw new ProgramError('AORTA-USAGE', {
      problem: `--resource: name ${unknown + 1} is no resource that can be fetched`,
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}There are: ${backfillResources.join(', ')}.`,
    });
  }
  return { users: [...new Set(users)], from, to, resources, days, marginS };
}
