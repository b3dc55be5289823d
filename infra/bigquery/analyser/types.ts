import type { DeclaredColumn } from './declared.ts';

/** A type in the format of the analyser's protocol. */
export interface AnalyserType {
  readonly typeKind: string;
  readonly arrayType?: { readonly elementType: AnalyserType };
  readonly structType?: { readonly field?: readonly { readonly fieldName?: string; readonly fieldType: AnalyserType }[] };
}

/** Maps BigQuery's type names to the protocol's type names, for types whose names differ. */
const KINDS: Readonly<Record<string, string>> = { INTEGER: 'INT64', FLOAT: 'DOUBLE', FLOAT64: 'DOUBLE', BOOLEAN: 'BOOL' };
const NAMES: Readonly<Record<string, string>> = { DOUBLE: 'FLOAT64' };

export function analyserType({ type, mode, fields = [] }: DeclaredColumn): AnalyserType {
  const name = type.toUpperCase().replace(/\(.*\)$/, '');
  const single: AnalyserType =
    name === 'RECORD' || name === 'STRUCT'
      ? {
          typeKind: 'TYPE_STRUCT',
          structType: { field: fields.map((field) => ({ fieldName: field.name, fieldType: analyserType(field) })) },
        }
      : { typeKind: `TYPE_${KINDS[name] ?? name}` };
  return mode?.toUpperCase() === 'REPEATED' ? { typeKind: 'TYPE_ARRAY', arrayType: { elementType: single } } : single;
}

/** Returns a column with this name and type, in the format of BigQuery's REST API. */
export function declaredColumn(name: string, type: AnalyserType): DeclaredColumn {
  if (type.arrayType !== undefined) return { ...declaredColumn(name, type.arrayType.elementType), mode: 'REPEATED' };
  if (type.structType !== undefined) {
    const fields = (type.structType.field ?? []).map((field) => declaredColumn(field.fieldName ?? '', field.fieldType));
    return { name, type: 'STRUCT', fields };
  }
  const kind = type.typeKind.replace(/^TYPE_/, '');
  return { name, type: NAMES[kind] ?? kind };
}
