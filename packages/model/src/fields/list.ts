import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, wrong } from './field.ts'

const MAX_ITEMS = 1000

/** A list of a few strings out of a known set (permission names, sources …): `text[]` in SQL. */
export function list<const V extends string, const O extends FieldOptions & { default?: readonly V[] }>(
  values: readonly V[] | ((value: string) => boolean),
  options: O,
) {
  const known = typeof values === 'function' ? values : (value: string) => (values as readonly string[]).includes(value)
  return field<V[], O>(options, {
    kind: 'list',
    column: 'text[]',
    operators: ['null'],
    offered: ['null'],
    unsortable: true,
    sample: () => [],
    check: (value) => {
      if (!Array.isArray(value) || value.length > MAX_ITEMS) return wrong(messages.list)
      const strange = value.find((v) => typeof v !== 'string' || v.includes('\0') || !known(v))
      return strange === undefined
        ? ok([...new Set(value)] as V[])
        : wrong(`${messages.choice}: ${String(strange).slice(0, 64)}`)
    },
    parse: () => wrong(messages.list),
    jsonSchema: { type: 'array', items: { type: 'string' } },
  })
}
