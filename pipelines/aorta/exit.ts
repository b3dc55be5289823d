/**
 * The exit codes of all verbs. `attention`: with `--check`, the operator has to act. `crashed`: an uncaught exception.
 * `tryAgain`: an error of the class transient, which a new process may not meet. 130 and 143 are the shell's codes for
 * SIGINT and SIGTERM. The supervisor restarts `aorta run` after `crashed`, `tryAgain` and unexpected signals.
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
