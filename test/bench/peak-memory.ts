import { readFileSync } from 'node:fs';

/** Returns the peak memory of this process in MB of 2^20 bytes. */
export function peakMemory(): number {
  // On Linux, this value includes the peak of the parent process, which survives fork and exec. The value in /proc does not.
  let kilobytes = process.resourceUsage().maxRSS;
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    kilobytes = Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? kilobytes);
  } catch {
    // Only Linux has /proc.
  }
  return Math.round(kilobytes / 1024);
}
