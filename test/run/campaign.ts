import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonPath } from '../../infra/setup/python.ts';
import { machine } from '../bench/machine.ts';
import { measureAgain } from './missed-times.ts';
import { filesOf, parts } from './parts.ts';
import { type PartRun, withRun } from './record.ts';
import { addResults, noResults, type Results, root, run, runTests, say, summarize } from './results.ts';

/**
 * `npm run test:campaign -- PART…` runs the given parts of the campaign, or all of them. It writes a record of each part to
 * `docs/bench/campaign.md`. The last line of its output has the counts of all parts.
 */

/** The projects of the campaign, in `vitest.config.ts`. They differ in the number of files that run at a time. */
const projects = ['campaign', 'outages', 'waiting', 'timed'];
const file = join(root, 'docs', 'bench', 'campaign.md');

const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

function runPart(part: string): Results {
  const began = performance.now();
  // Read before the tests run, so that the record describes the code that they tested.
  const commit = `${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain', '--', ':!docs/bench') === '' ? '' : ' and changes'}`;
  const results = runTests(path, projects, filesOf(part));
  const missed = measureAgain(results, (files) => runTests(path, projects, files));
  const { cpu, cores, memoryGb, system, versions } = machine();
  const done: PartRun = {
    part,
    commit,
    day: new Date().toISOString().slice(0, 10),
    machine: `${cores} × ${cpu}, ${memoryGb} GB, ${system}, node ${versions.node}`,
    minutes: (performance.now() - began) / 60_000,
    results,
    missed,
  };
  writeFileSync(file, withRun(readFileSync(file, 'utf8'), done, Object.keys(parts)));
  return results;
}

const named = process.argv.slice(2);
const unknown = named.filter((part) => !Object.hasOwn(parts, part));
if (unknown.length > 0) {
  say(`Unknown part of the campaign: ${unknown.join(', ')}. The parts are: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
const path = pythonPath(say);
const all = noResults();
run('node', ['infra/bigquery/emulator/prepare.ts'], path);
for (const part of named.length > 0 ? named : Object.keys(parts)) {
  say(`\nPart ${part}`);
  addResults(all, runPart(part));
}
summarize(all);
