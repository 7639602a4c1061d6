import { messages } from '../messages.ts'
import { type FieldOptions, field, maxParam, ok, wrong } from './field.ts'
import { checkInteger, parseInteger } from './integer.ts'
import type { Deletion, Offered, Reference } from './ref.ts'

/** For more records use a group or a tag. */
const MAX_REFS = 200

/**
 * The ids of a few records of another entity: `bigint[]` in SQL, without duplicates. For a choice that describes this
 * record only; if the other side queries it, or must react to deletions, use a separate entity. `filter[f][in]=5,7` tests
 * whether it contains any of them, `filter[f][null]=1` whether it is empty.
 */
export function refs<const P extends string, const O extends FieldOptions & Offered & Deletion>(path: P, options: O) {
  return Object.assign(
    field<number[], O & { default: readonly number[] }>(
      { ...options, default: [] },
      {
        kind: 'refs',
        column: 'bigint[]',
        operators: ['in', 'null'],
        offered: ['in', 'null'],
        several: true,
        unsortable: true,
        sample: () => [],
        check(value) {
          if (!Array.isArray(value)) return wrong(messages.list)
          if (value.length > MAX_REFS) return wrong(messages.listMax(MAX_REFS))
          return value.every((one) => checkInteger(one, 1, maxParam).ok)
            ? ok([...new Set(value as number[])])
            : wrong(messages.reference)
        },
        parse: (raw) => parseInteger(raw, -maxParam, maxParam),
        jsonSchema: {
          type: 'array',
          items: { type: 'integer', minimum: 1, maximum: maxParam },
          maxItems: MAX_REFS,
        },
      },
    ),
    { to: path, among: (options as Offered).among },
  )
}

/** Ids of records of the entity at path `to`. */
export const isRefs = <F extends { kind: string }>(f: F): f is F & Pick<Reference, 'to' | 'among'> => f.kind === 'refs'
