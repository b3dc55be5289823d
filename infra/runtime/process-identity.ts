import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

/** Identifies a process uniquely. A pid is not enough, because the system reuses pids. */
export const processIdentity = z.object({
  pid: z.int().positive(),
  /** Start time of the process, in clock ticks since boot (field 22 of `/proc/<pid>/stat`); null if the system has no /proc. */
  started: z.string().nullable(),
  host: z.string(),
  /** Id of the machine's current boot; null if the system does not provide one. */
  boot: z.string().nullable(),
});

export type ProcessIdentity = z.infer<typeof processIdentity>;

/** 'elsewhere' is a process on a different host, whose pid cannot be checked here. */
export type Whereabouts = 'alive' | 'gone' | 'elsewhere';

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid)?.started ?? null, host: hostname(), boot: bootId() };
}

/** Returns whether the process is still running. Returns 'alive' if this cannot be determined. */
export function whereaboutsOf(identity: ProcessIdentity): Whereabouts {
  if (identity.host !== hostname()) return 'elsewhere';
  const boot = bootId();
  if (identity.boot !== null && boot !== null && identity.boot !== boot) return 'gone';
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // Only ESRCH means that the process has ended. EPERM means that it is running under a different user.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
  }
  const found = startOf(identity.pid);
  if (found === undefined) return 'alive';
  // A zombie accepts signals until its parent reaps it. In a container, the parent may never do that.
  if (found.state === 'Z' || found.state === 'X') return 'gone';
  return identity.started !== null && identity.started !== found.started ? 'gone' : 'alive';
}

/** Reads the state and the start time of a process from /proc. Returns undefined if the system has no /proc. */
function startOf(pid: number): { state: string; started: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the command in parentheses, which may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  return state === undefined || started === undefined ? undefined : { state, started };
}

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return null;
  }
}
