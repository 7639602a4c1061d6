/** What else a cell of an export needs to say a value in words. */
export interface CellContext {
  /** The values of a field that has only so many, by their codes. */
  labels?: Record<string, string>
  timeZone: string
}

/** What the server alone does with values of a type of field; the model's half stands under the same name in model/fields. */
export interface FieldSide {
  /** Why a checked value is not even looked at, in words; absent: it is. */
  refuses?(value: unknown): string | undefined
  /** What is kept of a checked value; absent: the value itself. */
  kept?(value: unknown): unknown
  /** Its texts may show files of ours by their addresses, which keeps those files. */
  showsFiles?: true
  /** A cell of an export as people read it, of a value that is not empty; absent: the value as text. */
  cell?(value: unknown, context: CellContext): string
  /** The same as papers say it, where that is another way. */
  paper?(value: unknown, context: CellContext): string
  /** A cell that a spreadsheet reckons with. */
  isNumber?: true
  /** A cell that a spreadsheet sorts and filters as a date; its clock reading stands in UTC. */
  date?(value: unknown, context: CellContext): { at: Date; format: string }
}
