import type { AnyFilter, Filter } from '@ordinator/model/client'
import { type AnyField, declaredAt, type Entity, relationOf } from '@ordinator/model/entity'
import type { ReactNode } from 'react'
import type { AnyRow } from '../fields/ui.ts'

/**
 * Filters of a list, declared once: the type, URL parameters, their parser, the empty value, the count, chips, panel and
 * query are derived. `filters(Lead, { created: period('dateCreate'), … })`
 */

/** A filter's own field. */
export interface Asked {
  label: string
  /** The field of its condition, if any. */
  f: AnyField | undefined
}

/** `U`: the context from the screen. */
export interface FilterContext<U> extends Asked {
  context: U
  /** The records requested by `ids`, as far as they are loaded. */
  named: readonly AnyRow[]
}

export interface FilterInputProps<S extends object, U> extends Asked {
  value: Partial<S>
  onChange: (patch: Partial<S>) => void
  context: U
  /** In a toolbar, where a field has no label above it. */
  inline: boolean
}

/**
 * One filter. `S`: the parts of its value; '' is the URL parameter with the filter's own name, another part has the name
 * plus the part, or the one in `names` (`R`). `Q`: the context of its query, `U`: that of its input and chip.
 */
export interface FilterKind<S extends object = object, R extends object = object, Q = never, U = never> {
  type?: { parts: S; names: R; query: (context: Q) => void; ui: (context: U) => void }
  /** A field of the entity, or of a related one by dots. */
  field?: string
  /** Default: the field's label. */
  label?: string
  /** An invalid value becomes undefined, as if absent. */
  parts: { [P in keyof S]-?: (given: unknown, f: AnyField | undefined) => S[P] | undefined }
  names?: R
  /** Whether it is active; default: when any part is set. */
  isOn?(value: Partial<S>): boolean
  /** It has a condition even when nothing is selected. */
  always?: boolean
  conditions(value: Partial<S>, asked: Asked & { context: Q }): AnyFilter[]
  /** Text of its chip. */
  text(value: Partial<S>, context: FilterContext<U>): string
  /** Records named in its chip. */
  ids?(value: Partial<S>): readonly number[]
  /** A component; absent: not in the panel. */
  input?(props: FilterInputProps<S, U>): ReactNode
  /** A toggle beside the panel that sets it to `value`. */
  toggle?: { label: string; value: Partial<S> }
  /** At the head of the line, before all others. */
  search?: { placeholder: string; hotkey: { label: string; group: string } }
}

type Declared = Record<string, FilterKind>
type Merged<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer I) => void ? I : never
type Flat<T> = { [K in keyof T]: T[K] }
type Named<N extends string, P extends string, R> = P extends keyof R
  ? R[P] extends string
    ? R[P]
    : never
  : `${N}${P}`
type Own<N extends string, K> = K extends { type?: { parts: infer S; names: infer R } }
  ? { [P in keyof S & string as Named<N, P, R>]?: S[P] }
  : never
type Values<D> = Flat<Merged<{ [N in keyof D & string]: Own<N, D[N]> }[keyof D & string]>>
type QueryOf<K> = K extends { type?: { query: (context: infer Q) => void } } ? Q : never
type UiOf<K> = K extends { type?: { ui: (context: infer U) => void } } ? U : never
/** A context no kind needs must not be required: without this it would be inferred as `never`. */
type Needs<D, Of extends 'query' | 'ui'> =
  Merged<{ [N in keyof D]: [Of extends 'query' ? QueryOf<D[N]> : UiOf<D[N]>] }[keyof D]> extends infer T
    ? T extends readonly [infer C]
      ? [C] extends [never]
        ? unknown
        : C
      : unknown
    : never

/** A filter with its name and URL keys. */
export interface Placed extends Asked {
  name: string
  kind: FilterKind
  /** URL parameter, by part. */
  keys: Record<string, string>
}

type Given<Q> = unknown extends Q ? [] : [context: Q]

/** `E`: the entity of the lists. */
export interface Filters<V extends object = object, Q = never, U = never, E extends Entity = Entity> {
  /** In the order of the declaration, which is that of the panel and of the chips. */
  all: readonly Placed[]
  /** Reads a URL or a saved view. */
  read(search: object): V
  /** The patch that removes all filters, for «Сбросить». */
  none: { [K in keyof V]-?: undefined }
  /** Number of active filters. */
  count(values: V): number
  /** The conditions, to be combined by AND. */
  conditions(values: V, ...context: Given<Q>): Filter<E>[]
  /** The same as one filter; undefined: none is active. */
  filter(values: V, ...context: Given<Q>): Filter<E> | undefined
  /** For types only: the context from the screen. */
  ui?: (context: U) => void
}

/** URL values of these filters. */
export type ValuesOf<F> = F extends Filters<infer V, never, never> ? V : never

export function filters<const D extends Declared, E extends Entity>(
  entity: E,
  declared: D,
): Filters<Values<D>, Needs<D, 'query'>, Needs<D, 'ui'>, E> {
  const all = Object.entries(declared).map(([name, kind]) => placed(entity, name, kind))
  const conditions = (values: object, context?: unknown) =>
    all.flatMap((one) => {
      const value = filterValuesOf(one, values)
      return one.kind.always || isOn(one, value) ? one.kind.conditions(value, inContext(one, context)) : []
    })
  const made: Filters<Values<D>, Needs<D, 'query'>, Needs<D, 'ui'>> = {
    all,
    read: (search) => Object.assign({}, ...all.map((one) => readOne(one, search))),
    none: Object.assign({}, ...all.map(removalPatchOf)),
    count: (values) => all.filter((one) => isOn(one, filterValuesOf(one, values))).length,
    conditions: (values, ...[context]) => conditions(values, context),
    filter: (values, ...[context]) => {
      const parts = conditions(values, context)
      return parts.length ? { and: parts } : undefined
    },
  }
  // A kind uses a field of the entity (`placed` refuses another): its conditions are filters of that entity.
  return made as never
}

/**
 * A filter with the screen's context. In a list of mixed filters the type of each context is lost; `Needs` checks it where
 * the list is declared.
 */
export const inContext = (one: Placed, context: unknown) => ({ ...one, context: context as never })

function placed(entity: Entity, name: string, kind: FilterKind): Placed {
  const f = kind.field === undefined ? undefined : fieldAt(entity, kind.field)
  if (kind.field !== undefined && !f) throw new Error(`No field ${kind.field} in ${entity.path}`)
  const names = (kind.names ?? {}) as Record<string, string>
  const keys = Object.fromEntries(Object.keys(kind.parts).map((part) => [part, names[part] ?? `${name}${part}`]))
  return { name, kind, keys, f, label: kind.label ?? f?.options.label ?? name }
}

/**
 * A field of the entity, or through its relations by dots: `responsible.idUser`. A screen that filters through a relation
 * imports the other entity, so that its declaration is loaded.
 */
export function fieldAt(entity: Entity, path: string): AnyField | undefined {
  const [head = '', ...rest] = path.split('.')
  if (rest.length === 0) return Object.hasOwn(entity.all, head) ? entity.all[head] : undefined
  const relation = relationOf(entity, head)
  const other = relation && declaredAt(relation.to)
  return other && fieldAt(other, rest.join('.'))
}

type Part = (given: unknown, f: AnyField | undefined) => unknown

function readOne({ kind, keys, f }: Placed, search: object): object {
  const read = kind.parts as Record<string, Part>
  return Object.fromEntries(
    Object.entries(keys).map(([part, key]) => [key, read[part]?.((search as Record<string, unknown>)[key], f)]),
  )
}

/** The filter's part of URL values. */
export const filterValuesOf = ({ keys }: Placed, values: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(keys).flatMap(([part, key]) => {
      const value = (values as Record<string, unknown>)[key]
      return value === undefined ? [] : [[part, value]]
    }),
  )

export const isOn = ({ kind }: Placed, value: object): boolean =>
  kind.isOn ? kind.isOn(value) : Object.keys(value).length > 0

/** The URL patch for a patch of the filter's value. */
export const patchOf = ({ keys }: Placed, patch: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(patch).map(([part, value]) => [keys[part] ?? part, value]))

/** The URL patch that removes the filter. */
export const removalPatchOf = ({ keys }: Placed): Record<string, undefined> =>
  Object.fromEntries(Object.values(keys).map((key) => [key, undefined]))
