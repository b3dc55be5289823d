import { counted } from '@aorta/runtime/quantity';
import { type Command, Option } from 'commander';
import { giveFree } from '../claims.ts';
import { readSetting, type Setting } from '../configuration/configuration.ts';
import { type ConfiguredSource, sourcesOf } from '../configuration/configured-source.ts';
import { configuredStreams, streamsPlace } from '../configuration/configured-streams.ts';
import { warehousePlace } from '../configuration/configured-warehouse.ts';
import { ProgramError } from '../errors.ts';
import { type ExitCode, exit } from '../exit.ts';
import { logFor } from '../log.ts';
import { collectPart, type Only, oldNameLine, runParts } from '../only.ts';
import { partNames, type RunParts } from '../parts.ts';
import { loadSummary } from '../printing/load-summary.ts';
import { deadLetterCount, isLoss, refusedParts } from '../report.ts';
import { runConfigured } from '../running.ts';
import { stoppedBy } from '../stop-request.ts';
import { workerName } from '../supervision/worker-name.ts';
import type { Surroundings } from '../surroundings.ts';
import { action, type PlaceFlags, placeWords, verb, withPlace } from './verb.ts';

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
    'ingestion, enrichment and loading, until stopped',
    'Takes the configured sources through the streams into the tables until SIGINT (which ends with 130) or SIGTERM (which ends with 0): the step under way is finished and committed first; a second signal ends at once. Folders are looked at again and again. A working process of its own does it, which is started again when it crashes or stands still: at once, then after a quarter of a second, and ever later up to half a minute. `--only ingestion` takes the sources into the streams, `--only enrichment` asks the service for what events lack and follows historical pulls, and `--only loading` carries the streams into the tables; given more than once, a run does all that is named. With local streams one process writes, so that parts run apart only one after the other. With topics any number of processes take in and enrich, each with a data folder of its own, beside those that load. The old names do what they did: `consumers` is ingestion and enrichment; `jobs` is loading, with local streams together with the historical pulls.',
    ['aorta run', 'aorta run --once --json --config production.yaml', 'aorta run --only loading'],
  )
    .option('--once', 'end when everything that is there is in the tables, for schedulers')
    .addOption(
      new Option('--only <part>', 'run only this part; may be given more than once').choices(partNames).argParser(collectPart),
    )
    .option('--no-supervise', 'work in this very process: for a debugger, or where something else starts it again')
    .option('--strict', 'with --once, end with 3 where there are dead letters')
    .option('--dry-run', 'say what would run, and do nothing')
    .option('--json', 'with --once, one JSON object with the counts');
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one command, read from top to bottom
  return action(withPlace(command), async (flags: RunFlags): Promise<ExitCode> => {
    const { terminal } = surroundings;
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    const parts = partsOf(setting, flags);
    const oldName = oldNameLine(flags.only ?? []);
    if (oldName !== undefined) await terminal.err.write(oldName);
    checkParts(setting, parts);
    if (flags.dryRun) {
      await terminal.out.write(flags.json ? `${JSON.stringify(planOf(setting, flags))}\n` : planText(setting, flags));
      return exit.done;
    }
    const { supervised, restarts = 0 } = surroundings;
    const worker = workerName(surroundings);
    if (flags.supervise && !flags.once && supervised !== undefined) {
      return supervised({ logger: logFor(setting, 'info'), afterCrash: ({ pid }) => giveFree({ worker, pid }, setting) });
    }
    using stop = surroundings.stopRequest();
    const began = performance.now();
    const { ended, report, problems, fetchingProblems } = await runConfigured(setting, {
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
      flags.json ? `${JSON.stringify(report)}\n` : loadSummary(report, performance.now() - began, placeWords(flags)),
    );
    if (problems.some(isLoss) || fetchingProblems.length > 0) return exit.failed;
    return flags.strict && deadLetterCount(report) + refusedParts(report) > 0 ? exit.deadLetters : exit.done;
  });
}

function partsOf(setting: Setting, { only = [] }: RunFlags): RunParts {
  return runParts(only, configuredStreams(setting).adapter.isShared === true);
}

function checkParts({ file, configuration }: Setting, { ingestion, enrichment }: RunParts): void {
  const { sources, service, historical_pulls: pulls } = configuration;
  if (!ingestion && enrichment !== 'all') return;
  if (!ingestion) {
    if (service !== undefined || pulls !== undefined) return;
    throw new ProgramError('AORTA-USAGE', {
      problem: `${file ?? 'the configuration'} names no service and no historical_pulls, so there is nothing to enrich`,
      hint: 'Set service, historical_pulls, or both; `aorta run --only ingestion` takes the sources alone.',
    });
  }
  if (sources.length > 0 || (service !== undefined && enrichment === 'all')) return;
  throw new ProgramError('AORTA-USAGE', {
    problem: file === undefined ? 'there is no aorta.yaml here, so there are no sources to run' : `${file} names no sources`,
    hint: 'Write into it, for example: sources: [{ type: files, paths: [./incoming] }] . Single files: aorta load FILE…',
  });
}

function planOf(setting: Setting, flags: RunFlags): Record<string, unknown> {
  return {
    dry_run: true,
    parts: flags.only ?? ['consumers', 'jobs'],
    until: flags.once ? 'caught up' : 'stopped',
    sources: partsOf(setting, flags).ingestion ? sourcesOf(setting).map(plannedSource) : [],
    ...setting.place,
  };
}

function plannedSource({ settings, adapter }: ConfiguredSource): Record<string, unknown> {
  return { name: settings.name, type: settings.type, [adapter.placesName]: adapter.places(settings) };
}

function planText(setting: Setting, flags: RunFlags): string {
  const { only = ['ingestion, enrichment and loading'], once } = flags;
  const configured = partsOf(setting, flags).ingestion ? sourcesOf(setting) : [];
  const sources = configured.map(({ settings, adapter }) => `  ${settings.name}: ${adapter.places(settings).join(', ')}`);
  return [
    `Would run ${only.join(' and ')} until ${once ? 'caught up' : 'stopped'}${sources.length === 0 ? '' : `, with ${counted(sources.length, 'source')}:`}`,
    ...sources,
    `streams ${streamsPlace(setting)}`,
    `tables ${warehousePlace(setting)}. Nothing was done.`,
    '',
  ].join('\n');
}
