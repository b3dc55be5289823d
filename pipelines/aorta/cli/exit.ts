/**
 * The exit codes of all commands. `attention`: `aorta pulls --check` has found pulls that need the operator's attention.
 * `crashed`: an uncaught exception. `tryAgain`: a transient error, so a new process may succeed. 130 and 143 are the shell's
 * codes for SIGINT and SIGTERM. The supervisor restarts `aorta run` after `crashed`, `tryAgain` and unexpected signals.
 */
export const exit = {
  done: 0,
  failed: 1,
  usage: 2,
  deadLetters: 3,
  attention: 4,
  crashed: 70,
  tryAgain: 75,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exit)[keyof typeof exit];
