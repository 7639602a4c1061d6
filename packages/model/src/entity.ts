import { type Action, type Actor, type Allowed, allowed, type Gate } from './access.ts'
import { boolean } from './fields/boolean.ts'
import type { Field, Writable } from './fields/field.ts'
import { integer } from './fields/integer.ts'
import { id, isRef } from './fields/ref.ts'
import type { Gender, Registry } from './registry.ts'

/** A field of any value type; `unknown` would break type inference. */
export type AnyField = Field<any, boolean, Writable>
export type Fields = Record<string, AnyField>

/** Records of another entity that refer to this one: `{ to: its path, by: its field }`. */
export interface Many {
  to: string
  by: string
  /** For a field that holds ids of several kinds of records: the condition that selects this kind. */
  where?: Readonly<Record<string, string>>
  /** The two are linked by records of a third entity, as an appeal to its tasks: `where` selects those of this kind. */
  through?: Through
}
/** The records that link two others: their path, and the fields there that hold the ids of this and of the other one. */
interface Through {
  path: string
  from: string
  by: string
}
/** Records linked to this one by rows of a third entity. */
export const manyThrough = <const P extends string>(to: P, through: Through, where?: Many['where']) => ({
  to,
  by: 'id',
  through,
  ...(where && { where }),
})
export const many = <const P extends string>(to: P, by: string, where?: Many['where']) => ({
  to,
  by,
  ...(where && { where }),
})

export interface EntityOptions<F extends Fields, M extends Record<string, Many>> {
  /** One, two to four, five and more: ['Задача', 'задачи', 'задач']. */
  label: readonly [string, string, string]
  fields: F
  many?: M
  /** Permissions by action. An absent action is denied to all. */
  access: Partial<Record<Action, Allowed>>
  gate?: Pick<Gate, 'tariff' | 'module'>
  /**
   * The reference to the parent record: rights follow the parent (viewing this needs viewing the parent; creating, changing
   * or deleting this needs changing the parent).
   */
  within?: keyof F & string
  /**
   * The branch of a record, for employees who see only their own branches: `self` for the entity of branches, `common` for
   * what all branches share on purpose, else references to a branch or to records that have one. Default: the entity's own
   * references to branches, else the record that it is within; without either a record is of no branch and visible to all.
   */
  branchBy?: 'self' | 'common' | readonly (keyof F & string)[]
  /** Rights on a single record beyond permissions; the server's row scope is the same rule in SQL. */
  rule?: (actor: Actor, action: Action, record: never, context?: never) => boolean
  /**
   * Reason why a record in its current state cannot be deleted by anybody: the server refuses (409), and screens show it
   * before the click. Destructure its input in the parameter list (`({ status, isShiftOpen }) => …`): the computed fields it
   * uses, which depend on other records, are found from that. A field that a screen has not loaded counts as no reason.
   */
  kept?: (record: never, actor: Actor) => string | undefined
  /** What to do instead of deleting a record in use (`whenDeleted`), a sentence without its full stop. */
  instead?: string
  /**
   * Critical actions: a password entered more than 15 minutes ago must be entered again (403 `proof`). For an update with
   * `fields`, only changes of these.
   */
  fresh?: { actions: readonly ('create' | 'update' | 'delete' | 'export')[]; fields?: readonly string[] }
  /** Grammatical gender of `label`, for sentences. */
  gender?: Gender
  /** The generated screen for its records. */
  registry?: Registry<keyof F & string>
  /** The field that names the record elsewhere (a chip, a history line). */
  title?: keyof F & string
  /** Fields that distinguish records of the same name in a select: a patient's birthday and phone. */
  distinguishedBy?: readonly (keyof F & string)[]
  /** Fields shown when the record is only mentioned, as the author of a history line. */
  brief?: readonly (keyof F & string)[]
  /** Default order of a list, as in the query: `-dateCreate,name`. */
  sort?: string
  /**
   * Fields that change very often and affect neither visibility nor list membership: screens that show a whole list are not
   * refetched for a record they do not show.
   */
  pulse?: readonly (keyof F & string)[]
  /** A place of work: forms propose the one that the person chose last. */
  recalled?: true
  /** A name is enough for a new record: it can be created inside a select. */
  quickAdd?: boolean
  /** Rows are written without the engine, as in a log: no history and no events. */
  unrecorded?: true
  /**
   * Computed by the program from other records: so that it does not prevent these from being taken back, and
   * goes with them.
   */
  derived?: true
  /** DELETE only marks the record; it can be restored while it is in the trash. */
  soft?: boolean
  /** Groups of fields with unique combinations over living records. */
  unique?: readonly (readonly (keyof F & string)[])[]
  /** In these groups null counts as a value. */
  emptyIsSame?: boolean
  /**
   * Among living records with equal `same` fields, the periods from `from` to `to` must not overlap. Both days are
   * inclusive; without an end the period is open.
   */
  disjoint?: { same: readonly (keyof F & string)[]; from: keyof F & string; to: keyof F & string }
  /**
   * Reads and writes of a record are written to the journal of access to patients' data: the field that refers to the
   * patient, `id` if the record is the patient.
   */
  personal?: (keyof F & string) | 'id'
  /**
   * References to patients, or to records of theirs, that only show a name or a number, as the payer of another patient's
   * payment. All others hide the record while the card is sealed for the reader.
   */
  nameOnly?: readonly (keyof F & string)[]
  /**
   * POST takes a multipart file, which becomes the record. `access`: who may upload; absent: who may view. `contents`: who
   * may open files whose records they see; absent: who may view the records. `accept`: categories of the content.
   * `extensions`: allowed extensions, checked by name and content. `sizes`: POST answers key and sizes (spec §7) instead of
   * the record.
   */
  upload?: {
    category: string
    maxSize: number
    access?: Allowed
    contents?: Allowed
    accept?: readonly string[]
    extensions?: readonly string[]
    sizes?: boolean
  }
}

const system = {
  id: id(),
  _version: integer({ label: 'Версия', readonly: true, required: true }),
}
const trash = { deleted: boolean({ label: 'Удалено', readonly: true, required: true }) }

export type SystemFields = typeof system
export interface Entity<
  P extends string = string,
  F extends Fields = Fields,
  M extends Record<string, Many> = Record<string, Many>,
  S extends boolean = boolean,
  W extends string = string,
> extends Omit<EntityOptions<Fields, M>, 'fields' | 'many' | 'soft' | 'within'> {
  readonly path: P
  /** Name of the table. */
  readonly table: string
  readonly fields: F
  readonly many: M
  readonly soft: S
  readonly within?: W
  /** Declared fields plus `id`, `_version` and, with soft deletion, `deleted`. */
  readonly all: Fields
}

/** Loaded declarations: all on the server, in the browser those of opened screens. */
const declared = new Map<string, Entity>()

/** The declaration at a path, if loaded. */
export const declaredAt = (path: string): Entity | undefined => declared.get(path)

/**
 * Declares an entity once. Table, validation, types, endpoints, filters, OpenAPI, labels, forms and the typed client are
 * derived. @param path as in the specification, without a leading slash: `tasks-management/tasks`
 */
export function entity<
  const P extends string,
  const F extends Fields,
  const M extends Record<string, Many> = Record<never, Many>,
  const S extends boolean = false,
  const W extends keyof F & string = never,
>(path: P, options: EntityOptions<F, M> & { soft?: S; within?: W }): Entity<P, F, M, S, W> {
  const made = {
    ...options,
    path,
    table: path.replace(/[/-]/g, '_'),
    many: options.many ?? ({} as M),
    soft: (options.soft ?? false) as S,
    all: { id: system.id, ...options.fields, ...(options.soft ? trash : {}), _version: system._version },
  } as Entity<P, F, M, S, W>
  declared.set(path, made as unknown as Entity)
  return made
}

type ValueOf<X> = X extends Field<infer T, infer N, Writable> ? (N extends true ? T | null : T) : never
/** An untyped field may be written. */
type FieldWrite<X> = X extends { type?: { writable: infer W } } ? (Writable extends W ? 'may' : W) : never
type KeysBy<F, W> = { [K in keyof F]: FieldWrite<F[K]> extends W ? K : never }[keyof F]
type Flat<T> = { [K in keyof T]: T[K] }

/** A record as the server returns it. */
export type Row<E extends Entity> = Flat<
  { [K in keyof E['fields']]: ValueOf<E['fields'][K]> } & { id: number; _version: number } & (E['soft'] extends true
      ? { deleted: boolean }
      : unknown)
>
/** The body of a create: required fields must be given. */
export type Create<E extends Entity> = Flat<
  { [K in KeysBy<E['fields'], 'must'>]: ValueOf<E['fields'][K]> } & {
    [K in KeysBy<E['fields'], 'may'>]?: ValueOf<E['fields'][K]>
  }
>
/** The body of an update: any of the fields. */
export type Update<E extends Entity> = Flat<
  { [K in KeysBy<E['fields'], 'must' | 'may'>]?: ValueOf<E['fields'][K]> } & { _version?: number }
>

/** Fields the actor may see: without those hidden by a missing permission. */
export function visibleFields(entity: Entity, actor: Actor): [string, AnyField][] {
  return Object.entries(entity.all).filter(([, f]) => isVisible(f, actor))
}

export const isVisible = (f: AnyField, actor: Actor): boolean =>
  f.options.hidden === undefined || allowed(actor, f.options.hidden)

/** The part of an entity that defines its relations. */
export type Linked = Pick<Entity, 'fields' | 'many'>

export interface Relation {
  kind: 'one' | 'many'
  /** Path of the other entity. */
  to: string
  /** one: a field here; many: a field there. */
  by: string
  where?: Many['where']
  through?: Through
}

/** The target of a name in `expand` or before a dot in a filter. */
export function relationOf(entity: Linked, name: string): Relation | undefined {
  const list = Object.hasOwn(entity.many, name) ? entity.many[name] : undefined
  if (list) return { kind: 'many', ...list }
  for (const [by, f] of Object.entries(entity.fields)) {
    if (isRef(f) && f.as === name) return { kind: 'one', to: f.to, by }
  }
  return undefined
}

/** The computed fields that `kept` uses. */
export function computedByKept({ kept, fields }: Entity): string[] {
  const read = new Set<string>()
  kept?.(new Proxy({}, { get: (_, name) => void read.add(String(name)) }) as never, { id: 0 } as Actor)
  return [...read].filter((name) => fields[name]?.options.computed)
}

/** `kept` of a record of any entity; system code is never refused. */
export const keptBecause = ({ kept }: Entity, record: unknown, actor: Actor): string | undefined =>
  kept?.(record as never, actor)
