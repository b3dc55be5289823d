import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';

/** Names one process beyond doubt: a pid alone is given out again. */
export const processIdentity = z.object({
  pid: z.int().positive(),
  /** Start time of the process, in clock ticks since the boot (`/proc/<pid>/stat`, field 22); null where the system does not tell. */
  started: z.string().nullable(),
  host: z.string(),
  /** The boot of the machine that the pid belongs to; null where the system does not tell. */
  boot: z.string().nullable(),
});

export type ProcessIdentity = z.infer<typeof processIdentity>;

/** 'elsewhere': of another host name, where pids say nothing here. */
export type Whereabouts = 'alive' | 'gone' | 'elsewhere';

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid)?.started ?? null, host: hostname(), boot: bootId() };
}

/** Whether the process that `identity` names still runs. In doubt it does. */
export function whereaboutsOf(identity: ProcessIdentity): Whereabouts {
  if (identity.host !== hostname()) return 'elsewhere';
  const boot = bootId();
  if (identity.boot !== null && boot !== null && identity.boot !== boot) return 'gone';
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
  }
  const found = startOf(identity.pid);
  if (found === undefined) return 'alive';
  // A process that was killed answers signals until its parent has taken note of its end, which in a container may be never.
  if (found.state === 'Z' || found.state === 'X') return 'gone';
  return identity.started !== null && identity.started !== found.started ? 'gone' : 'alive';
}

/** State and start time out of proc(5); undefined where the system has none. */
function startOf(pid: number): { state: string; started: string } | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the command in parentheses, which may hold blanks and parentheses itself.
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
