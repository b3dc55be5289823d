import { visible } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ConfiguredSource, sourcesOf, streamsPlace, warehousePlace } from '../../config/adapters.ts';
import { readSetting, type Setting } from '../../config/configuration.ts';
import { ProgramError } from '../../errors.ts';
import { deadLetterCount, isLoss, loadSummary, refusedParts } from '../../report/load-report.ts';
import { releaseClaims } from '../../run/claims.ts';
import { runConfigured } from '../../run/configured-run.ts';
import { everything, type PartName, partNames, type RunParts, sectionsOf, workerName } from '../../run/parts.ts';
import { type ExitCode, exit } from '../exit.ts';
import { errorText } from '../printing/errors.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { logFor } from './command-logger.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb } from './verb.ts';

/** The values of `--only`, in the given order. Empty means all parts. */
export type Only = readonly PartName[];

/** Adds one value of `--only`. Throws InvalidArgumentError if it names no part. */
export function collectPart(value: string, before: Only = []): Only {
  const part = partNames.find((name) => name === value);
  if (part === undefined) throw new InvalidArgumentError(`Allowed choices are ${partNames.join(', ')}.`);
  return [...before, part];
}

/** Returns the parts that a run with these values of `--only` starts. */
export function runParts(only: Only): RunParts {
  if (only.length === 0) return everything;
  const starts = (part: PartName): boolean => only.includes(part);
  return { ingestion: starts('ingestion'), enrichment: starts('enrichment'), loading: starts('loading') };
}

interface RunFlags extends PlaceFlags {
  readonly once?: true;
  readonly only?: Only;
  readonly supervise: boolean;
  readonly strict?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

export function runCommand(surroundings: Surroundings): Command {
  const command = verb(
    'run',
    'run ingestion, enrichment and loading until stopped',
    [
      'Loads the configured sources through the streams into the tables until SIGINT (exit code 130) or SIGTERM (exit code 0). After a signal, the command finishes and commits the current step before it exits; a second signal ends it at once. The command regularly checks folders for new files. If a disk is full, it waits until there is space, and then continues.',
      'A supervisor runs the work in a worker process. If the worker crashes or stalls, the supervisor restarts it: at once, then after 0.25 s, then at increasing intervals of up to 30 s.',
      '`--only ingestion` appends deliveries from the sources to the streams. `--only enrichment` calls the service for data that events lack, and follows historical pulls. `--only loading` loads the streams into the tables. Repeat `--only` to combine parts. With local streams, only one process can write at a time, so run separate parts one after the other. With Kafka topics as streams, any number of processes can ingest and enrich while others load. Give each process its own data folder.',
    ].join('\n\n'),
    ['aorta run', 'aorta run --once --json --config production.yaml', 'aorta run --only loading'],
  )
    .option('--once', 'exit when all available data is in the tables; use it with a scheduler')
    .addOption(new Option('--only <part>', 'run only this part; may be repeated').choices(partNames).argParser(collectPart))
    .option(
      '--no-supervise',
      'do the work in this process, without a supervisor: for debugging, or if another tool restarts the process',
    )
    .option('--strict', 'with --once, exit with code 3 if there are dead letters')
    .option('--dry-run', 'print what would run, without running it')
    .option('--json', 'with --once, print one JSON object with the counts');
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one command, read from top to bottom
  return action(withPlace(command), async (flags: RunFlags): Promise<ExitCode> => {
    const { environment, folder, terminal } = surroundings;
    const parts = runParts(flags.only ?? []);
    const setting = readSetting(flags, environment, folder, { needs: sectionsOf(parts) });
    checkParts(setting, parts);
    if (flags.dryRun) {
      await terminal.out.write(
        flags.json ? `${JSON.stringify(planOf(setting, flags, parts))}\n` : planText(setting, flags, parts),
      );
      return exit.done;
    }
    const { supervised, restarts = 0 } = surroundings;
    const worker = workerName(surroundings);
    if (flags.supervise && !flags.once && supervised !== undefined) {
      return supervised({
        logger: logFor(setting, 'info'),
        afterCrash: ({ pid }) => releaseClaims({ worker, pid }, setting, parts),
      });
    }
    using stop = surroundings.stopRequest();
    const began = performance.now();
    const { ended, report, losses, problems, enrichmentProblems } = await runConfigured(setting, {
      once: flags.once === true,
      parts,
      worker,
      supervisor: supervised === undefined && surroundings.restarts !== undefined ? process.ppid : null,
      restarts,
      logger: logFor(setting, 'info'),
      signal: stop.signal,
    });
    if (ended === 'stopped') return stop.cause === 'SIGTERM' ? (flags.once ? exit.terminated : exit.done) : stoppedBy('SIGINT');
    await terminal.out.write(
      flags.json ? `${JSON.stringify(report)}\n` : loadSummary(report, performance.now() - began, setting.call),
    );
    for (const loss of losses) await terminal.err.write(errorText(terminal.err, loss, setting.call));
    if (losses.length > 0 || problems.some(isLoss) || enrichmentProblems.length > 0) return exit.failed;
    return flags.strict && deadLetterCount(report) + refusedParts(report) > 0 ? exit.deadLetters : exit.done;
  });
}

function checkParts({ file, configuration }: Setting, { ingestion, enrichment }: RunParts): void {
  if (!ingestion && !enrichment) return;
  if (!ingestion) {
    if (configuration.service !== undefined || configuration.historical_pulls !== undefined) return;
    throw new ProgramError('AORTA-USAGE', {
      problem: `${file ?? 'the configuration'} configures neither service nor historical_pulls, so there is nothing to enrich`,
      hint: 'Configure service, historical_pulls, or both. `aorta run --only ingestion` runs only the sources.',
    });
  }
  if (configuration.sources.length > 0 || (enrichment && configuration.service !== undefined)) return;
  throw new ProgramError('AORTA-USAGE', {
    problem: file === undefined ? 'there is no aorta.yaml here, so there are no sources to run' : `${file} configures no sources`,
    hint: 'Add sources to it, for example: sources: [{ type: files, paths: [./incoming] }]. To load single files, run `aorta load FILE…`.',
  });
}

function planOf(setting: Setting, flags: RunFlags, { ingestion, loading }: RunParts): Record<string, unknown> {
  const { streams, warehouse } = setting.place;
  return {
    dry_run: true,
    parts: flags.only ?? partNames,
    until: flags.once ? 'caught up' : 'stopped',
    sources: ingestion ? sourcesOf(setting).map(plannedSource) : [],
    streams,
    warehouse: loading ? warehouse : undefined,
  };
}

function plannedSource({ settings, adapter }: ConfiguredSource): Record<string, unknown> {
  return { name: settings.name, type: settings.type, [adapter.placesName]: adapter.places(settings) };
}

function planText(setting: Setting, flags: RunFlags, { ingestion, loading }: RunParts): string {
  const { only = ['ingestion, enrichment and loading'], once } = flags;
  const configured = ingestion ? sourcesOf(setting) : [];
  const sources = configured.map(({ settings, adapter }) => `  ${settings.name}: ${adapter.places(settings).join(', ')}`);
  return [
    `Would run ${only.join(' and ')} until ${once ? 'caught up' : 'stopped'}${sources.length === 0 ? '' : `, with ${counted(sources.length, 'source')}:`}`,
    ...sources,
    `streams ${streamsPlace(setting)}${loading ? `\ntables ${warehousePlace(setting)}` : ''}. Nothing was done.`,
    '',
  ]
    .map(visible)
    .join('\n');
}
