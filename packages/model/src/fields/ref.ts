import { messages } from '../messages.ts'
import { equality, type FieldOptions, field, maxParam, ordered } from './field.ts'
import { checkInteger, parseInteger } from './integer.ts'

/** Which records of the other entity are offered. Other values are refused by the area's hooks. */
export interface Offered {
  among?: Readonly<Record<string, string | number | boolean>>
}

/** Which records referring to a deleted one count, and their names. */
export interface Hanging {
  /** Only those whose time or day in this field is in the future. */
  ahead?: string
  /** Only those with one of these values in each of the fields; null matches empty. */
  among?: Readonly<Record<string, readonly (string | number | boolean | null)[]>>
  /** Only those with a positive value in this field. */
  above?: string
  /** One, two, five; absent: the label of the entity. */
  words?: readonly [string, string, string]
}

/**
 * What happens when the other record is deleted. `keeps`: it cannot be deleted (409 with the number). `asks`: the number is
 * shown and a confirmation is required. `stays`: this record keeps the reference. `own`: `kept` of the other entity or a
 * hook of its area decides.
 */
export type WhenDeleted = 'keeps' | 'asks' | 'stays' | 'own' | { keeps?: Hanging | true; asks?: Hanging | true }

/** The reference's behaviour when its target is deleted. */
export interface Deletion {
  /** Absent: parts and `cascade` are deleted with it, `set null` is cleared, `auto` stays. */
  whenDeleted?: WhenDeleted
}

export interface RefOptions<A extends string = string> extends FieldOptions, Offered, Deletion {
  /** The name of the other record in `expand`. */
  as: A
  /** A computed field with values of the other record, by field, as they were kept here: documents name these. */
  keptIn?: string
  /** The effect here of a physical deletion of the other record. */
  onDelete?: 'cascade' | 'restrict' | 'set null'
}

/** The id of a record of another entity, named by its path so that files need not import each other. */
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

/** The record's own id; every entity has it. */
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

/** Parts of a reference: the other entity's path, and the name of its record in `expand`. */
export interface Reference extends Offered {
  to: string
  as: string
}
export const isRef = <F extends { kind: string }>(f: F): f is F & Reference => f.kind === 'ref'
