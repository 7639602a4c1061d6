import type { Permission } from '../permissions.ts'

/** Comparisons that a filter may name: `filter[field][op]=value`. */
export type Operator = 'eq' | 'neq' | 'in' | 'nin' | 'lt' | 'lte' | 'gt' | 'gte' | 'like' | 'ilike' | 'null'

export const equality: readonly Operator[] = ['eq', 'neq', 'in', 'nin', 'null']
export const ordered: readonly Operator[] = [...equality, 'lt', 'lte', 'gt', 'gte']
export const textual: readonly Operator[] = [...equality, 'like', 'ilike']

/** What a value check answers: the value to store, or the Russian text to show under the field. */
export type Checked<T = unknown> = { ok: true; value: T } | { ok: false; message: string }

export const ok = <T>(value: T): Checked<T> => ({ ok: true, value })
export const wrong = (message: string): Checked<never> => ({ ok: false, message })

/**
 * Where the server fills a field by itself: who made the record, who changed it last, and when. `asker` is who made it too,
 * of what may also be made by nobody of the staff: then it is empty.
 */
export type Auto = 'actor' | 'asker' | 'editor' | 'created' | 'changed'

export interface FieldOptions {
  label: string
  /** One line under the input. */
  help?: string
  /** Must be given on create and can never be empty. */
  required?: boolean
  /** Written by the server only. */
  readonly?: boolean
  /** Filled by the server: the signed-in user, on creation or on each change, the time of creation, of the last change. */
  auto?: Auto
  /** Of an `auto` field: a person may give another value than the server's, as the time of a call that is noted afterwards. */
  settable?: true
  /** SQL of the server's area gives it; there is no column. */
  computed?: boolean
  /**
   * A computed field that costs: a list has it only where `fields` or `expand` names it, as counters; with `'always'`
   * the answer of a single record too.
   */
  lazy?: true | 'always'
  /** Only holders of one of these may read, filter, sort or write it; of none: the server alone. */
  hidden?: Permission | readonly Permission[]
  /** Taken by a write and kept by no column: a hook of the area acts on it. Never read. */
  virtual?: boolean
  /** Only on create. */
  fixed?: boolean
  /** Long and written again and again: history says that it has changed, and not from what to what. */
  briefly?: true
  /** A unique value over the living records. */
  unique?: boolean
  /**
   * Gets an index for ILIKE search and stands in the list's search box. `words`: it holds what a record is known by, and
   * each word is looked for on its own, a number by its digits. `latest`: there are ever more of them and the latest are
   * wanted, of which each word is looked for on its own too: a list from the latest id on costs what it shows.
   */
  search?: boolean | 'words' | 'latest'
}

/**
 * One field of an entity. A field type is one small object that owns its column, its checks, its operators and whatever
 * else tells it from others; nothing outside of `fields/` asks for its `kind` (`scripts/imports.mjs` holds that). Its
 * input and cell stand under the same `kind` in the web's records/fields, what the server alone does with its values in
 * the server's records/fields.
 * @template T the value on the wire when it is not null
 * @template N whether the value may be null
 * @template W how the client may write it: must, may, never
 */
export interface Field<T = unknown, N extends boolean = boolean, W extends Writable = Writable> {
  readonly kind: string
  readonly options: FieldOptions & { default?: unknown } & Record<string, unknown>
  /** SQL type of the column. */
  readonly column: string
  readonly nullable: N
  readonly operators: readonly Operator[]
  /** Those of the operators that a person is offered, in this order; absent: none. `null` is offered where it may be empty. */
  readonly offered?: readonly Operator[]
  /** People ask for it by days: it is one, or a moment within one. */
  readonly days?: 'day' | 'moment'
  /** Its value is a list and its column an array: a filter asks whether any of the named values stands in it. */
  readonly several?: true
  /** What leads from the record, by dots, to the zone by whose clock its moments are told; absent: by the reader's. */
  readonly clock?: string
  /** A list cannot be ordered by it. */
  readonly unsortable?: true
  /** A list offers no order by it and shows it only where it is named: it is long to read. */
  readonly long?: true
  /** An empty string is a value of its own; for the others it means that there is none. */
  readonly keepsEmpty?: true
  /** Values that differ in the case of letters alone are the same one, where they must be unique. */
  readonly anyCase?: true
  /** Its former values can decide who saw a record. */
  readonly decides?: true
  /** Whether a text typed into a search box is worth looking for among its values; absent: any is. */
  finds?(text: string): boolean
  /** Whether two values that are written differently say the same; absent: they do when they are equal. */
  same?(a: T, b: T): boolean
  /** A value that it takes; those of different numbers differ where the type has room. The contract suite writes it. */
  sample(number: number): T
  /** Checks a value of the body. Null is settled before. */
  check(value: unknown): Checked<T>
  /** Reads a value of the query string, for a filter. */
  parse(raw: string): Checked<unknown>
  /** What the driver is given for a checked value; the value itself where absent. */
  toSql?(value: T): unknown
  /** SQL text that reads the column for the wire; the column itself where absent. */
  readSql?(column: string): string
  /** JSON Schema of the value on the wire, without null. */
  readonly jsonSchema: Record<string, unknown>
  /** Carries the types only; never set. */
  readonly type?: { value: T; writable: W }
}

export type Writable = 'must' | 'may' | 'never'

type Never<O> = O extends { settable: true }
  ? false
  : O extends { readonly: true } | { computed: true } | { auto: Auto }
    ? true
    : false
export type NullableOf<O> = O extends
  | { required: true }
  | { default: NonNullable<unknown> }
  | { auto: Exclude<Auto, 'asker'> }
  ? false
  : true
export type WritableOf<O> =
  Never<O> extends true
    ? 'never'
    : O extends { default: NonNullable<unknown> }
      ? 'may'
      : O extends { required: true }
        ? 'must'
        : 'may'

type Parts<T> = Omit<Field<T>, 'options' | 'nullable' | 'type'>

/** Joins a field type's parts with the options that every field shares. */
export function field<T, O extends FieldOptions & { default?: unknown }>(
  options: O,
  parts: Parts<T>,
): Field<T, NullableOf<O>, WritableOf<O>> {
  const isFilled = options.auto !== undefined && options.auto !== 'asker'
  const nullable = !(options.required || isFilled || (options.default !== undefined && options.default !== null))
  return { ...parts, options: options as Field['options'], nullable } as Field<T, NullableOf<O>, WritableOf<O>>
}

/** Whether a client may write the field at all. */
export function isWritable(f: Field): boolean {
  return !(f.options.readonly || f.options.computed || (f.options.auto && !f.options.settable))
}

/** Whether the field stands in the table. */
export const isStored = (f: Field): boolean => !(f.options.computed || f.options.virtual)

/** Whether the field stands in answers. */
export const isReadable = (f: Field): boolean => !f.options.virtual

/** Whether the field stands in answers that do not say which fields they want: those of lists, or of a single record. */
export const isUsual = (f: Field, single = false): boolean =>
  isReadable(f) && (!f.options.lazy || (single && f.options.lazy !== 'always'))

/** The largest id that JavaScript carries exactly. */
export const maxParam = 2 ** 53 - 1
