import { AortaError } from '@aorta/telemetry';
import { type Command, Option } from 'commander';
import { giveFree } from '../claims.ts';
import { readSetting, type Setting } from '../configuration/configuration.ts';
import { type Configuration, placesOf } from '../configuration/schema.ts';
import { streamsPlace } from '../configuration/streams-place.ts';
import { warehousePlace } from '../configuration/warehouse-place.ts';
import { type ExitCode, exit } from '../exit.ts';
import { openFetching } from '../fetching.ts';
import { logFor } from '../log.ts';
import { observe } from '../observation.ts';
import { runPipeline } from '../pipeline.ts';
import { loadSummary } from '../printing/load-summary.ts';
import { counted } from '../printing/quantity.ts';
import { deadLetterCount, isLoss, refusedParts, reportOf } from '../report.ts';
import { keepSourceStatus } from '../source-status.ts';
import { configuredSources } from '../sources.ts';
import { stoppedBy } from '../stop-request.ts';
import { clientNames, workerName } from '../supervision/worker-name.ts';
import type { Surroundings } from '../surroundings.ts';
import { action, type PlaceFlags, placeWords, verb, withPlace } from './verb.ts';

interface RunFlags extends PlaceFlags {
  readonly once?: true;
  readonly only?: 'consumers' | 'jobs';
  readonly supervise: boolean;
  readonly strict?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

export function runCommand(surroundings: Surroundings): Command {
  const command = verb(
    'run',
    'consumers and jobs, until stopped',
    'Takes the configured sources through the streams into the tables until SIGINT (which ends with 130) or SIGTERM (which ends with 0): the step under way is finished and committed first; a second signal ends at once. Folders are looked at again and again. A working process of its own does it, which is started again when it crashes or stands still: at once, then after a quarter of a second, and ever later up to half a minute. With local streams one process writes: consumers and jobs run apart only one after the other. With topics any number of consumers run, each with a data folder of its own, beside jobs.',
    ['aorta run', 'aorta run --once --json --config production.yaml', 'aorta run --only jobs'],
  )
    .option('--once', 'end when everything that is there is in the tables, for schedulers')
    .addOption(new Option('--only <part>', 'run only this part').choices(['consumers', 'jobs']))
    .option('--no-supervise', 'work in this very process: for a debugger, or where something else starts it again')
    .option('--strict', 'with --once, end with 3 where there are dead letters')
    .option('--dry-run', 'say what would run, and do nothing')
    .option('--json', 'with --once, one JSON object with the counts');
  return action(withPlace(command), async (flags: RunFlags): Promise<ExitCode> => {
    const { terminal } = surroundings;
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    if (flags.only !== 'jobs') checkSources(setting);
    if (flags.dryRun) {
      await terminal.out.write(flags.json ? `${JSON.stringify(planOf(setting, flags))}\n` : planText(setting, flags));
      return exit.done;
    }
    const { supervised, restarts = 0 } = surroundings;
    const worker = workerName(surroundings);
    if (flags.supervise && !flags.once && supervised !== undefined) {
      return supervised({ logger: logFor(setting, 'info'), afterCrash: ({ pid }) => giveFree({ worker, pid }, setting) });
    }
    const { logger, metrics, progress, close } = await observe(setting.configuration.health, logFor(setting, 'info'), restarts);
    const stop = surroundings.stopRequest();
    const began = performance.now();
    const fetching = openFetching(setting, { once: flags.once === true, only: flags.only, logger, metrics, progress });
    const sources = configuredSources(setting, {
      once: flags.once === true,
      patient: restarts > 0,
      worker,
      logger,
      metrics,
      progress,
    });
    const status = keepSourceStatus(setting, progress, logger);
    try {
      logger.info('started', {
        streams: streamsPlace(setting),
        warehouse: warehousePlace(setting),
        sources: setting.configuration.sources.length,
      });
      const { ended, tally, tables } = await runPipeline({
        setting,
        only: flags.only,
        sources: ({ log }) => [...(flags.only === 'jobs' ? [] : sources.all), ...fetching.sources(log)],
        worker: {
          clients: await clientNames(setting, worker),
          sources: flags.only === 'jobs' ? [] : setting.configuration.sources.map(({ name }) => name),
          supervisor: supervised === undefined && surroundings.restarts !== undefined ? process.ppid : null,
        },
        untilStopped: flags.once !== true,
        signal: stop.signal,
        logger,
        metrics,
        progress,
      });
      const report = reportOf(tally, tables ?? {});
      logger.info('stopped', {
        received: report.received,
        redelivered: report.redelivered,
        dead_letters: deadLetterCount(report),
      });
      if (ended === 'stopped') return stop.cause === 'SIGTERM' ? (flags.once ? exit.terminated : exit.done) : stoppedBy('SIGINT');
      await terminal.out.write(
        flags.json ? `${JSON.stringify(report)}\n` : loadSummary(report, performance.now() - began, placeWords(flags)),
      );
      if (sources.problems.some(isLoss) || fetching.problems.length > 0) return exit.failed;
      return flags.strict && deadLetterCount(report) + refusedParts(report) > 0 ? exit.deadLetters : exit.done;
    } finally {
      stop.release();
      await fetching.close();
      await status.close();
      await close();
    }
  });
}

function checkSources({ file, configuration }: Setting): void {
  if (configuration.sources.length > 0 || configuration.service !== undefined) return;
  throw new AortaError('AORTA-USAGE', {
    problem: file === undefined ? 'there is no aorta.yaml here, so there are no sources to run' : `${file} names no sources`,
    hint: 'Write into it, for example: sources: [{ type: files, paths: [./incoming] }] . Single files: aorta load FILE…',
  });
}

function planOf({ configuration, place }: Setting, { only, once }: RunFlags): Record<string, unknown> {
  return {
    dry_run: true,
    parts: only === undefined ? ['consumers', 'jobs'] : [only],
    until: once ? 'caught up' : 'stopped',
    sources: only === 'jobs' ? [] : configuration.sources.map(plannedSource),
    ...place,
  };
}

function plannedSource(source: Configuration['sources'][number]): Record<string, unknown> {
  const { name, type } = source;
  const places = placesOf(source);
  if (type === 'files') return { name, type, paths: places };
  return type === 'event-hubs' ? { name, type, hubs: places } : { name, type, topics: places };
}

function planText(setting: Setting, { only, once }: RunFlags): string {
  const { configuration } = setting;
  const sources =
    only === 'jobs' ? [] : configuration.sources.map((source) => `  ${source.name}: ${placesOf(source).join(', ')}`);
  return [
    `Would run ${only ?? 'consumers and jobs'} until ${once ? 'caught up' : 'stopped'}${sources.length === 0 ? '' : `, with ${counted(sources.length, 'source')}:`}`,
    ...sources,
    `streams ${streamsPlace(setting)}`,
    `tables ${warehousePlace(setting)}. Nothing was done.`,
    '',
  ].join('\n');
}
