import type { DeclaredColumn } from './declared.ts';

/** A type as the analyser's protocol writes it. */
export interface AnalyserType {
  readonly typeKind: string;
  readonly arrayType?: { readonly elementType: AnalyserType };
  readonly structType?: { readonly field?: readonly { readonly fieldName?: string; readonly fieldType: AnalyserType }[] };
}

/** Kinds that the protocol names otherwise than GoogleSQL's reference, by BigQuery's names. */
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

/** A column of this name and type, as BigQuery writes it. */
export function declaredColumn(name: string, type: AnalyserType): DeclaredColumn {
  if (type.arrayType !== undefined) return { ...declaredColumn(name, type.arrayType.elementType), mode: 'REPEATED' };
  if (type.structType !== undefined) {
    const fields = (type.structType.field ?? []).map((field) => declaredColumn(field.fieldName ?? '', field.fieldType));
    return { name, type: 'STRUCT', fields };
  }
  const kind = type.typeKind.replace(/^TYPE_/, '');
  return { name, type: NAMES[kind] ?? kind };
}
