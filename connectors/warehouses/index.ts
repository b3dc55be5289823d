export { type TableElement, type TableRow, type TableValue, tableColumns, tableRows, usersOf } from './table-rows.ts';
