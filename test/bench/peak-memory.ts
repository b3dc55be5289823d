import { readFileSync } from 'node:fs';

/**
 * Returns the peak memory of this process in MB of 2^20 bytes. The value of `process.resourceUsage` begins with the peak of
 * the parent process, which Linux keeps over fork and exec. It is used only without /proc.
 */
export function peakMemory(): number {
  let kilobytes = process.resourceUsage().maxRSS;
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    kilobytes = Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? kilobytes);
  } catch {
    // Not Linux.
  }
  return Math.round(kilobytes / 1024);
}
