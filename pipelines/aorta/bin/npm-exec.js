// Plain JavaScript, because it must also run on older versions of Node.
import { readFileSync } from 'node:fs';

const lookEveryMs = 250;

/**
 * Ends this process as SIGTERM does, as soon as npm ends. A signal to npm never reaches this process: npm passes it on to its
 * shell, and the shell to nobody. Does nothing unless `npx aorta` or `npm exec aorta` started this process.
 */
export function endWithNpm(own = process, read = (path) => readFileSync(path, 'utf8')) {
  if (!isCommandOfNpm(own)) return;
  const parent = own.ppid;
  const shellsParent = isShell(parent, read) ? parentOf(parent, read) : undefined;
  const hasEnded = () => {
    if (own.ppid !== parent) return true;
    const now = shellsParent === undefined ? undefined : parentOf(parent, read);
    return now !== undefined && now !== shellsParent;
  };
  const watch = setInterval(() => {
    if (!hasEnded()) return;
    clearInterval(watch);
    own.kill(own.pid, 'SIGTERM');
  }, lookEveryMs);
  watch.unref();
  // Ctrl-C reaches npm, too. The end of npm must not be a second request, which would end this process at once.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    own.on(signal, function stop() {
      clearInterval(watch);
      own.off(signal, stop);
      // Without a listener of the command, the signal has its usual effect.
      if (own.listenerCount(signal) === 0) own.kill(own.pid, signal);
    });
  }
}

/**
 * Child processes inherit the variables of npm, so these must name this program. A process with a channel has a parent that
 * passes signals on: a supervisor, or the older Node that ran this program.
 */
function isCommandOfNpm({ env, connected }) {
  const isAorta = /^(["']?)([^"']*\/)?aorta\1$/.test(env.npm_lifecycle_script ?? '');
  return env.npm_command === 'exec' && isAorta && connected !== true;
}

/** Returns whether the process is a shell that runs one command line. If npm is killed, its shell goes on. */
function isShell(pid, read) {
  try {
    return read(`/proc/${pid}/cmdline`).split('\0')[1] === '-c';
  } catch {
    // Only Linux has this file. On macOS, the command replaces the shell.
    return false;
  }
}

function parentOf(pid, read) {
  try {
    // The fields after the name: state, parent. The name is in parentheses and may contain spaces and parentheses.
    return Number(read(`/proc/${pid}/stat`).split(') ').at(-1).split(' ')[1]);
  } catch {
    return undefined;
  }
}
