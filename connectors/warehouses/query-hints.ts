/** Hints for a query that failed, on any warehouse. */
export const CHECK = 'Check the statement; the tables are listed by `aorta schema`.';
export const LIST = '`aorta schema` lists the tables and views. Add the name of one to list its columns.';
