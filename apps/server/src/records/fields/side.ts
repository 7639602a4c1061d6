/** What a cell of an export needs besides its value. */
export interface CellContext {
  /** Labels of the field's codes, for a field with a fixed set of values. */
  labels?: Record<string, string>
  timeZone: string
}

/** Server-side behaviour of a field type; the shared part has the same name in model/fields. */
export interface FieldSide {
  /** Reason to refuse a value without checking it, in Russian; absent: never. */
  refuses?(value: unknown): string | undefined
  /** Stored form of a checked value; absent: the value itself. */
  kept?(value: unknown): unknown
  /** Its texts may show stored files by their URLs, which counts as a use of those files. */
  showsFiles?: true
  /** Text of a non-empty value in an export; absent: the value as text. */
  cell?(value: unknown, context: CellContext): string
  /** Text in printed documents, where it differs. */
  paper?(value: unknown, context: CellContext): string
  /** Exported as a number. */
  isNumber?: true
  /** Exported as a date; the local clock time is passed as UTC. */
  date?(value: unknown, context: CellContext): { at: Date; format: string }
}
