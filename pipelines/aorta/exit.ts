/** What the exit code of a verb says. 130 and 143 are the shell's own codes for a process ended by SIGINT and SIGTERM. */
export const exit = { done: 0, failed: 1, usage: 2, deadLetters: 3, interrupted: 130, terminated: 143 } as const;

export type ExitCode = (typeof exit)[keyof typeof exit];
