import { expect, test } from 'vitest';
import { clientUserIdProblem } from './client-user-id.ts';

test.each(['person@example.com', 'a.b+c@mail.example.org', '+14155552671', '+442071838750', '', '  '])('%j is refused', (id) => {
  expect(clientUserIdProblem(id)).toMatch(/^client_user_id must not be /);
});

test.each(['4155552671', '01HZX3', 'user-1', 'aGVsbG8=', '+', '+123 456', 'a@b', '@handle', '14155552671'])(
  '%j is accepted',
  (id) => {
    expect(clientUserIdProblem(id)).toBe(undefined);
  },
);

test('no message repeats the id', () => {
  expect(clientUserIdProblem('person@example.com')).not.toContain('person');
});
