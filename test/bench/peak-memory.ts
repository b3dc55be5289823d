import { readFileSync } from 'node:fs';

/**
 * The most memory that this process had at once, in MB of 2^20 bytes. What `process.resourceUsage` says begins with what
 * the process had that started this one (Linux keeps it over fork and exec), so it is asked only where there is no /proc.
 */
export function peakMemory(): number {
  let kilobytes = process.resourceUsage().maxRSS;
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    kilobytes = Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? kilobytes);
  } catch {
    // No Linux.
  }
  return Math.round(kilobytes / 1024);
}
