export { type TableElement, type TableRow, type TableValue, tableColumns, tableRows, usersOf } from './table-rows.ts';
export { declaredViews, type ViewDescription } from './views/declared-views.ts';
export { type Group, groups, type ViewColumn } from './views/dialect.ts';
export { groupOfTable } from './views/views.ts';
