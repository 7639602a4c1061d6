import type { Permission } from '../permissions.ts'

/** Comparison operators of a filter: `filter[field][op]=value`. */
export type Operator = 'eq' | 'neq' | 'in' | 'nin' | 'lt' | 'lte' | 'gt' | 'gte' | 'like' | 'ilike' | 'null'

export const equality: readonly Operator[] = ['eq', 'neq', 'in', 'nin', 'null']
export const ordered: readonly Operator[] = [...equality, 'lt', 'lte', 'gt', 'gte']
export const textual: readonly Operator[] = [...equality, 'like', 'ilike']

/** Result of a check: the value to store, or the Russian message for the field. */
export type Checked<T = unknown> = { ok: true; value: T } | { ok: false; message: string }

export const ok = <T>(value: T): Checked<T> => ({ ok: true, value })
export const wrong = (message: string): Checked<never> => ({ ok: false, message })

/**
 * Fields filled by the server: creator, last editor, and the times. `asker` is the creator too, but stays empty for records
 * that are not created by staff.
 */
export type Auto = 'actor' | 'asker' | 'editor' | 'created' | 'changed'

export interface FieldOptions {
  label: string
  /** One line below the input. */
  help?: string
  /** Must be given on create and can never be empty. */
  required?: boolean
  /** Written only by the server. */
  readonly?: boolean
  /** Filled by the server: the signed-in user on creation or on each change, the time of creation, of the last change. */
  auto?: Auto
  /** For an `auto` field: a person may set another value, as the time of a call recorded afterwards. */
  settable?: true
  /** Computed by SQL of the server's area; there is no column. */
  computed?: boolean
  /**
   * An expensive computed field: a list includes it only if `fields` or `expand` names it, as counters; with `'always'` the
   * answer of a single record too.
   */
  lazy?: true | 'always'
  /** Only holders of one of these may read, filter, sort or write it; empty: only the server. */
  hidden?: Permission | readonly Permission[]
  /** Accepted in a write without a column: a hook of the area uses it. Never returned. */
  virtual?: boolean
  /** Can be set only on create. */
  fixed?: boolean
  /** Long and often rewritten: history records that it changed, without the values. */
  briefly?: true
  /** A unique value over living records. */
  unique?: boolean
  /**
   * Gets an index for ILIKE search and is part of the list's search box. `words`: it holds the search terms of a record,
   * each searched separately, numbers by their digits. `latest`: an ever-growing table whose latest matches are wanted, also
   * searched by separate words: a list in descending order of ids costs only what it shows.
   */
  search?: boolean | 'words' | 'latest'
}

/**
 * One field of an entity. A field type is one small object with its column, its checks, its operators and everything else
 * that distinguishes it; nothing outside of `fields/` uses its `kind` (checked by `scripts/imports.mjs`). Its input and
 * cell have the same `kind` in the web's records/fields, its server-side behaviour in the server's records/fields.
 * @template T type of a non-null value in wire format
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
  /** Operators offered to users, in this order; absent: none. `null` is offered if the field may be empty. */
  readonly offered?: readonly Operator[]
  /** Users filter it by days: it is a day, or a moment. */
  readonly days?: 'day' | 'moment'
  /** Its value is a list and its column an array: a filter tests whether it contains any of the values. */
  readonly several?: true
  /** Dotted path from the record to the time zone of its moments; absent: the reader's zone. */
  readonly clock?: string
  /** Lists cannot be sorted by it. */
  readonly unsortable?: true
  /** Not sortable, and shown in lists only if named: it is long to read. */
  readonly long?: true
  /** An empty string is a value; for other fields it means null. */
  readonly keepsEmpty?: true
  /** Case-insensitive in unique constraints. */
  readonly anyCase?: true
  /** Its former values can determine who could see a record. */
  readonly decides?: true
  /** Whether a typed search text can match; absent: any can. */
  finds?(text: string): boolean
  /** Whether two different spellings are the same value; absent: compared by equality. */
  same?(a: T, b: T): boolean
  /** A valid value; different numbers give different values if the type allows. For the contract suite. */
  sample(number: number): T
  /** Validates a value of the body. Null is handled before. */
  check(value: unknown): Checked<T>
  /** Parses a value of the query string, for a filter. */
  parse(raw: string): Checked<unknown>
  /** Converts a checked value for the driver; absent: the value itself. */
  toSql?(value: T): unknown
  /** SQL that converts the column to wire format; absent: the column itself. */
  readSql?(column: string): string
  /** JSON Schema of the value in wire format, without null. */
  readonly jsonSchema: Record<string, unknown>
  /** Carries only types; never set. */
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

/** Combines a field type's parts with the common options. */
export function field<T, O extends FieldOptions & { default?: unknown }>(
  options: O,
  parts: Parts<T>,
): Field<T, NullableOf<O>, WritableOf<O>> {
  const isFilled = options.auto !== undefined && options.auto !== 'asker'
  const nullable = !(options.required || isFilled || (options.default !== undefined && options.default !== null))
  return { ...parts, options: options as Field['options'], nullable } as Field<T, NullableOf<O>, WritableOf<O>>
}

/** True when a client may write the field. */
export function isWritable(f: Field): boolean {
  return !(f.options.readonly || f.options.computed || (f.options.auto && !f.options.settable))
}

/** True when the field has a column. */
export const isStored = (f: Field): boolean => !(f.options.computed || f.options.virtual)

/** Kinds whose values are words of people or about them: a name, a letter, a phone, a document. */
const WORDS: ReadonlySet<string> = new Set(['text', 'richText', 'phone', 'email', 'identifier'])
export const isWords = (f: Field): boolean => WORDS.has(f.kind)

/** True when the field can be in answers. */
export const isReadable = (f: Field): boolean => !f.options.virtual

/** True when the field is in answers that do not name their fields: those of lists, or of a single record. */
export const isUsual = (f: Field, single = false): boolean =>
  isReadable(f) && (!f.options.lazy || (single && f.options.lazy !== 'always'))

/** The largest integer that JavaScript represents exactly. */
export const maxParam = 2 ** 53 - 1
