import {
  DuckDBArrayType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBUnionType,
} from '@duckdb/node-api';
import { WarehouseError } from '../../errors.ts';

/**
 * Refuses results that have objects whose members have no names, such as `row(1, 2)`, with AORTA-QUERY-FAILED. DuckDB's client
 * library stores members by name, so only the last of several members without a name would be left.
 */
export function checkMembers(types: readonly DuckDBType[]): void {
  const index = types.findIndex(losesMembers);
  if (index === -1) return;
  throw new WarehouseError('AORTA-QUERY-FAILED', {
    problem: `column ${index + 1} of the result has objects whose members cannot be told apart by their names`,
    hint: 'Name the members, for example {a: 1, b: 2}, or cast the column to varchar.',
  });
}

function losesMembers(type: DuckDBType): boolean {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) return losesMembers(type.valueType);
  if (type instanceof DuckDBMapType) return losesMembers(type.keyType) || losesMembers(type.valueType);
  if (type instanceof DuckDBUnionType) return type.memberTypes.some(losesMembers);
  if (!(type instanceof DuckDBStructType)) return false;
  const { entryNames, entryTypes } = type;
  // An assignment to `__proto__` sets no member.
  return new Set(entryNames).size < entryNames.length || entryNames.includes('__proto__') || entryTypes.some(losesMembers);
}
