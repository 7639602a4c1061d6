import { messages } from '../messages.ts'
import { equality, type FieldOptions, field, maxParam, ordered } from './field.ts'
import { checkInteger, parseInteger } from './integer.ts'

/** Which of the other entity's records are offered. What is written all the same, the area's hooks refuse in words. */
export interface Offered {
  among?: Readonly<Record<string, string | number | boolean>>
}

/** Which of the records that point at a deleted one count, and how they are called. */
export interface Hanging {
  /** Only those whose moment or day in this field is still to come. */
  ahead?: string
  /** Only those with one of these values in each of the fields; null: none. */
  among?: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  /** Only those with more than nothing in this field. */
  above?: string
  /** One, two, five; absent: the label of the entity. */
  words?: readonly [string, string, string]
}

/**
 * What happens here when somebody deletes the other record. `keeps`: it cannot be deleted (409 with the number).
 * `asks`: the number is shown and a second yes is needed. `stays`: this record goes on naming it. `own`: `kept` of the
 * other entity or a hook of its area decides.
 */
export type WhenDeleted = 'keeps' | 'asks' | 'stays' | 'own' | { keeps?: Hanging | true; asks?: Hanging | true }

/** What a reference says of the deletion of the record that it names. */
export interface Deletion {
  /** Absent: parts and `cascade` go with it, `set null` is emptied with it, `auto` stays. */
  whenDeleted?: WhenDeleted
}

export interface RefOptions<A extends string = string> extends FieldOptions, Offered, Deletion {
  /** The name under which `expand` puts the other record. */
  as: A
  /** What a hard delete of the other record does here. */
  onDelete?: 'cascade' | 'restrict' | 'set null'
}

/** The id of a record of another entity, which is named by its path so that files need not import each other. */
export function ref<const P extends string, const O extends RefOptions>(path: P, options: O) {
  return Object.assign(
    field<number, O>(options, {
      kind: 'ref',
      column: 'bigint',
      operators: equality,
      offered: ['in', 'nin', 'null'],
      decides: true,
      sample: () => 1,
      check: (value) => {
        const checked = checkInteger(value, 1, maxParam)
        return checked.ok || typeof value !== 'number' ? checked : { ok: false, message: messages.reference }
      },
      parse: (raw) => parseInteger(raw, -maxParam, maxParam),
      toSql: (value) => value,
      jsonSchema: { type: 'integer', minimum: 1, maximum: maxParam },
    }),
    { to: path, as: options.as as O['as'], among: (options as Offered).among },
  )
}

/** The id of the record itself; every entity has it. */
export const id = () =>
  field<number, { label: string; readonly: true; required: true }>(
    { label: '№', readonly: true, required: true },
    {
      kind: 'id',
      column: 'bigint',
      operators: ordered,
      offered: ['eq', 'gte', 'lte'],
      sample: () => 1,
      check: (value) => checkInteger(value, 1, maxParam),
      parse: (raw) => parseInteger(raw, -maxParam, maxParam),
      jsonSchema: { type: 'integer' },
    },
  )

/** A reference's own parts: the other entity's path, and the name under which `expand` puts its record. */
export interface Reference extends Offered {
  to: string
  as: string
}
export const isRef = <F extends { kind: string }>(f: F): f is F & Reference => f.kind === 'ref'
