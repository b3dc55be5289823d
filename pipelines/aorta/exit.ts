/**
 * What the exit code of a verb says. `attention`: under `--check`, somebody has to act. 130 and 143 are the shell's own codes for a process ended by SIGINT and SIGTERM.
 * `crashed`: an exception that nobody expected; `tryAgain`: an error of the class transient, which may be gone with
 * another process. After these two, and after a signal that nobody sent to stop it, `aorta run` is started again by its supervisor.
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
