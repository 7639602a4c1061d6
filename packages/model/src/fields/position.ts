import { messages } from '../messages.ts'
import { type Field, type FieldOptions, field, ok, ordered, wrong } from './field.ts'

export interface PositionOptions extends FieldOptions {
  default: number
  /** Fields whose equal values form one ordered group; empty: the whole entity is one. */
  group: readonly string[]
  /** The default place of a new record. */
  start: 'first' | 'last'
}

/**
 * The position in a group of records. Sparse (`numeric`), so that a move writes one row;
 * `POST /{path}/{id}/move {before|after}` computes it.
 */
export function position<const O extends Omit<PositionOptions, 'default' | 'label'> & { label?: string }>(options: O) {
  const check = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e12 ? ok(value) : wrong(messages.number)
  return field<number, O & { label: string; default: 1 }>(
    { ...options, label: options.label ?? 'Порядок', default: 1 },
    {
      kind: 'position',
      column: 'numeric',
      operators: ordered,
      sample: () => 2.5,
      check,
      parse: (raw) => (/^[+-]?\d{1,12}(\.\d+)?$/.test(raw) ? ok(raw) : wrong(messages.number)),
      jsonSchema: { type: 'number' },
    },
  )
}

export type PositionField = Field<number> & { options: PositionOptions }

/** The position field of an entity, with its name; undefined: none. */
export function positionOf(fields: Record<string, Field>): [name: string, f: PositionField] | undefined {
  if (found.has(fields)) return found.get(fields)
  const position = Object.entries(fields).find((entry): entry is [string, PositionField] => isPosition(entry[1]))
  found.set(fields, position)
  return position
}

/** Cached, since every write needs it. */
const found = new WeakMap<Record<string, Field>, [name: string, f: PositionField] | undefined>()

export const isPosition = (f: Field): f is PositionField => f.kind === 'position'
