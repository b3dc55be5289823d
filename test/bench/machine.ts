import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string }).version;
}

/** The machine and the library versions that a measurement used. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly versions: Readonly<Record<string, string>>;
}

export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    versions: {
      node: process.versions.node,
      '@duckdb/node-api': versionOf('@duckdb/node-api'),
      avsc: versionOf('avsc'),
      kafkajs: versionOf('kafkajs'),
      zod: versionOf('zod'),
    },
  };
}

/** Returns the short id of the checked-out commit, with ", changed" if the working tree differs outside of `docs/bench`. */
export function commit(): string {
  const git = (...words: string[]): string => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const changes = git('status', '--porcelain', '--', '.', ':!docs/bench');
  return `${git('rev-parse', '--short=8', 'HEAD')}${changes === '' ? '' : ', changed'}`;
}
