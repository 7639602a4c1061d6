/** Context of a cell of an export. */
export interface CellContext {
  /** Labels of the field's codes, for a field with a fixed set of values. */
  labels?: Record<string, string>
  timeZone: string
}

/**
 * A cell of a table from outside. Each way of reading gives undefined for a blank cell and for one that it does not
 * understand, which is refused then.
 */
export interface GivenCell {
  text(): string | undefined
  number(): number | undefined
  /** Rubles. */
  money(): number | undefined
  yesNo(): boolean | undefined
  /** `YYYY-MM-DD`. */
  day(): string | undefined
  /** ISO 8601. */
  moment(): string | undefined
  /** The key of a label. */
  chosen(labels: Readonly<Record<string, string>>): string | undefined
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
  /** Value of a cell of an imported table; absent: its text. False: files write it in words of their own. */
  read?: false | ((cell: GivenCell, labels: Record<string, string>) => unknown)
  /** Exported as a number. */
  isNumber?: true
  /** Exported as a date; the local clock time is passed as UTC. */
  date?(value: unknown, context: CellContext): { at: Date; format: string }
}
