/** The name of a table within the project. */
export interface TableName {
  readonly dataset: string;
  readonly table: string;
}
