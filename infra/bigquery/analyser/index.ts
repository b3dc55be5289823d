export type { Analyser, Analysis, AnalysisOptions } from './analyser.ts';
export type { DeclaredColumn, DeclaredTable } from './declared.ts';
export { startAnalyser } from './start.ts';
