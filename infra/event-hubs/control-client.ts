import type { EventHubsControl } from './control.ts';
import { commands } from './control-port.ts';

/** The control of a server in another process, by its control port on this machine. Rejects where the server refuses, or is gone. */
export function controlClient(controlPort: number): EventHubsControl {
  const call = async (command: string, argument: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${controlPort}/${command}`, {
      method: 'POST',
      ...(argument === undefined ? {} : { body: JSON.stringify(argument) }),
    });
    const result: unknown = await response.json();
    if (!response.ok) throw new Error((result as { error: string }).error);
    return result;
  };
  return Object.fromEntries(
    commands.map((command) => [command, (argument?: unknown) => call(command, argument)]),
  ) as unknown as EventHubsControl;
}
