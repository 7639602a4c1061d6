import { type Action, type Actor, type Allowed, allowed, type Gate } from './access.ts'
import { boolean } from './fields/boolean.ts'
import type { Field, Writable } from './fields/field.ts'
import { integer } from './fields/integer.ts'
import { id, isRef } from './fields/ref.ts'
import type { Gender, Registry } from './registry.ts'

/** A field of whatever value; `unknown` would break the inference of its type. */
export type AnyField = Field<any, boolean, Writable>
export type Fields = Record<string, AnyField>

/** Records of another entity that point here: `{ to: its path, by: its field }`. */
export interface Many {
  to: string
  by: string
  /** Where that field is no reference, but a number of records of several kinds: what tells those of this one. */
  where?: Readonly<Record<string, string>>
  /** The two are linked by records of a third one, as an appeal to its tasks: `where` tells those of this kind there. */
  through?: Through
}
/** The records that link two others: their path, and the fields there that hold the ids of this and of the other one. */
interface Through {
  path: string
  from: string
  by: string
}
/** Records that rows of a third entity link to this one. */
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
  /** Who may do what, by permission. What is absent is nobody's. */
  access: Partial<Record<Action, Allowed>>
  gate?: Pick<Gate, 'tariff' | 'module'>
  /**
   * The reference whose record this one is a part of: its rights follow that record's
   * (seeing this needs seeing that; creating, changing or deleting this needs changing that).
   */
  within?: keyof F & string
  /** The actor's rights on one record, where permissions alone do not say; the server's row scope says the same in SQL. */
  rule?: (actor: Actor, action: Action, record: never, context?: never) => boolean
  /**
   * Why a record that is as this one is can be deleted by nobody: the server refuses it (409) and the screens say so
   * before the click. It takes what it reads apart in its head (`({ status, isShiftOpen }) => …`): computed fields, which
   * tell of other records, are found so. One that a screen has not read counts as no reason.
   */
  kept?: (record: never, actor: Actor) => string | undefined
  /** What to do instead of deleting a record that others use (`whenDeleted`), a sentence without its point. */
  instead?: string
  /**
   * What is grave of it: whoever gave the password longer than a quarter of an hour ago is asked for it again (403
   * `proof`). Of an update that names `fields`, one of these alone.
   */
  fresh?: { actions: readonly ('create' | 'update' | 'delete' | 'export')[]; fields?: readonly string[] }
  /** Of the word in `label`, so that a sentence can be made with it. */
  gender?: Gender
  /** The screen that lists, makes, changes and deletes its records. */
  registry?: Registry<keyof F & string>
  /** The field that stands for the record where it is named (a chip, a history line). */
  title?: keyof F & string
  /** Fields that tell records of one name apart where one is chosen: a patient's birthday and phone. */
  tells?: readonly (keyof F & string)[]
  /** What is told of the record where it only stands as a name, as the author of a history line. */
  brief?: readonly (keyof F & string)[]
  /** Default order of a list, as in the query: `-dateCreate,name`. */
  sort?: string
  /**
   * Fields that change with every word and decide neither who sees the record nor in which list it stands: screens that
   * show all of a list are not read again for a record that they do not show.
   */
  pulse?: readonly (keyof F & string)[]
  /** A name is all that a new one needs: it is made right where one is chosen. */
  quickAdd?: boolean
  /** Its rows are written past the engine, as those of a log: they have no history and no events. */
  unrecorded?: true
  /** DELETE only marks the record; it can be brought back while the trash keeps it. */
  soft?: boolean
  /** Groups of fields whose values are unique together over the living records. */
  unique?: readonly (readonly (keyof F & string)[])[]
  /** In these groups no value is a value like any other. */
  emptyIsSame?: boolean
  /**
   * Among living records that are the `same` in these fields, no day lies within two of the periods from `from` to `to`.
   * Both days count; without the last one the period has no end.
   */
  disjoint?: { same: readonly (keyof F & string)[]; from: keyof F & string; to: keyof F & string }
  /**
   * Reads and writes of a record go to the journal of access to patients' data: the field that names the patient, `id`
   * where the record is the patient.
   */
  personal?: (keyof F & string) | 'id'
  /**
   * POST takes a multipart file; the record is the file's. `access`: who may send it; absent: who may view.
   * `contents`: who may look into the files whose rows they see; absent: who may view the records.
   * `accept`: categories of its content. `extensions`: what its name must end with and its content be. `sizes`: POST
   * answers its key and sizes (spec §7) instead of the record.
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
  /** The declared fields with `id`, `_version` and, for a soft one, `deleted`. */
  readonly all: Fields
}

/** Entities whose declarations have been read: all on the server, in the browser those of the screens that were opened. */
const declared = new Map<string, Entity>()

/** The declaration at a path, if it has been read. */
export const declaredAt = (path: string): Entity | undefined => declared.get(path)

/**
 * Declares an entity once. Table, checks, types, endpoints, filters, OpenAPI, labels, forms and the typed client follow.
 * @param path the specification's path, without a slash in front: `tasks-management/tasks`
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
/** Of whatever field nothing is known: it may be written. */
type FieldWrite<X> = X extends { type?: { writable: infer W } } ? (Writable extends W ? 'may' : W) : never
type KeysBy<F, W> = { [K in keyof F]: FieldWrite<F[K]> extends W ? K : never }[keyof F]
type Flat<T> = { [K in keyof T]: T[K] }

/** A record as the server answers it. */
export type Row<E extends Entity> = Flat<
  { [K in keyof E['fields']]: ValueOf<E['fields'][K]> } & { id: number; _version: number } & (E['soft'] extends true
      ? { deleted: boolean }
      : unknown)
>
/** The body of a create: what is required must stand. */
export type Create<E extends Entity> = Flat<
  { [K in KeysBy<E['fields'], 'must'>]: ValueOf<E['fields'][K]> } & {
    [K in KeysBy<E['fields'], 'may'>]?: ValueOf<E['fields'][K]>
  }
>
/** The body of an update: any part. */
export type Update<E extends Entity> = Flat<
  { [K in KeysBy<E['fields'], 'must' | 'may'>]?: ValueOf<E['fields'][K]> } & { _version?: number }
>

/** The fields that may be shown to the actor: those hidden behind a permission it lacks are not there at all. */
export function visibleFields(entity: Entity, actor: Actor): [string, AnyField][] {
  return Object.entries(entity.all).filter(([, f]) => isVisible(f, actor))
}

export const isVisible = (f: AnyField, actor: Actor): boolean =>
  f.options.hidden === undefined || allowed(actor, f.options.hidden)

/** What of an entity says where its relations lead. */
export type Linked = Pick<Entity, 'fields' | 'many'>

export interface Relation {
  kind: 'one' | 'many'
  /** Path of the other entity. */
  to: string
  /** one: the field here; many: the field there. */
  by: string
  where?: Many['where']
  through?: Through
}

/** What a name in `expand` or in front of a dot in a filter leads to. */
export function relationOf(entity: Linked, name: string): Relation | undefined {
  const list = Object.hasOwn(entity.many, name) ? entity.many[name] : undefined
  if (list) return { kind: 'many', ...list }
  for (const [by, f] of Object.entries(entity.fields)) {
    if (isRef(f) && f.as === name) return { kind: 'one', to: f.to, by }
  }
  return undefined
}

/** The computed fields that `kept` reads. */
export function computedByKept({ kept, fields }: Entity): string[] {
  const read = new Set<string>()
  kept?.(new Proxy({}, { get: (_, name) => void read.add(String(name)) }) as never, { id: 0 } as Actor)
  return [...read].filter((name) => fields[name]?.options.computed)
}

/** The same of any entity's record; the server's own code is told of nothing. */
export const keptBecause = ({ kept }: Entity, record: unknown, actor: Actor): string | undefined =>
  kept?.(record as never, actor)
