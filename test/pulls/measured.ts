import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
const preload = join(import.meta.dirname, 'report-peak.process.ts');

export interface Measured {
  readonly code: number | null;
  readonly seconds: number;
  readonly peakMb: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Number of bytes written to standard output. */
  readonly bytes: number;
}

/** Runs `aorta …` in a folder, and measures its time and peak memory. Discards output beyond about `kept` characters. */
export function measured(folder: string, words: readonly string[], kept = Number.POSITIVE_INFINITY): Promise<Measured> {
  const peakFile = join(folder, 'peak');
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', preload, program, ...words], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', PEAK_FILE: peakFile },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr, bytes] = ['', '', 0];
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (stdout.length < kept) stdout += part.toString('utf8');
    });
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString('utf8');
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = (performance.now() - begun) / 1000;
      resolve({ code, seconds, peakMb: Number(readFileSync(peakFile, 'utf8')), stdout, stderr, bytes });
    });
  });
}
