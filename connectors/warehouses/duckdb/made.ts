import type { Database } from './database.ts';

/** Identifies the content of what Aorta made in the file, by name. It is made again if it would have another content. */
export const madeTable = 'create table if not exists control.made (name varchar not null, content varchar not null)';

export type Made = 'views' | 'time_zones' | 'column_comments';

export async function isMade(database: Database, step: string, name: Made, content: string): Promise<boolean> {
  const rows = await database.rows(step, `select content from control.made where name = '${name}'`);
  return rows.length === 1 && rows[0]![0] === content;
}

/** Statement after which something counts as not made. */
export const forgetMade = (name: Made): string => `delete from control.made where name = '${name}'`;

/** Returns the statements that record what was made. Run them in the transaction that makes it. */
export const recordMade = (name: Made, content: string): string[] => [
  forgetMade(name),
  `insert into control.made values ('${name}', '${content}')`,
];
