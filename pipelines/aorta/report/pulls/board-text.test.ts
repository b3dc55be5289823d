import { expect, test } from 'vitest';
import { ProgramError } from '../../errors.ts';
import type { Row } from './board.ts';
import { triggerText } from './board-text.ts';

test('without the key of the service, the board names the variable that the command for triggering needs', () => {
  const error = new ProgramError('AORTA-CONFIG-VARIABLE', { file: 'aorta.yaml', line: 3, variable: 'SERVICE_KEY' });
  const setting = { configuration: {}, unread: [{ section: 'service', errors: [error] }] } as const;
  const row = (what_to_do: string | null) => ({ what_to_do, trigger: null }) as unknown as Row;
  expect(triggerText([row('wait'), row(null)], setting)).toBe('');
  expect(triggerText([row('wait'), row('trigger the pull again')], setting)).toBe(
    'The command that triggers these pulls again is not shown: aorta.yaml:3: the environment variable SERVICE_KEY is not set.\n',
  );
});
