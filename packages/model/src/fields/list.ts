import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, wrong } from './field.ts'

const MAX_ITEMS = 1000

type Known = Readonly<Record<string, string>> | ((value: string) => boolean)
type Word<K extends Known> = K extends (value: string) => boolean ? string : keyof K & string

/** A list of strings from a known set, by their labels, or of strings that pass a check: `text[]` in SQL. */
export function list<K extends Known, const O extends FieldOptions & { default?: readonly Word<K>[] }>(
  values: K,
  options: O,
) {
  const isByCheck = (of: Known): of is (value: string) => boolean => typeof of === 'function'
  const known = isByCheck(values) ? values : (value: string) => Object.hasOwn(values, value)
  return field<Word<K>[], O>(isByCheck(values) ? options : { ...options, labels: values }, {
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
        ? ok([...new Set(value)] as Word<K>[])
        : wrong(`${messages.choice}: ${String(strange).slice(0, 64)}`)
    },
    parse: () => wrong(messages.list),
    jsonSchema: { type: 'array', items: { type: 'string' } },
  })
}
