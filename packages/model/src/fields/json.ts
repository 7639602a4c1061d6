import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, wrong } from './field.ts'

const MAX_JSON = 100_000

interface JsonOptions<T> extends FieldOptions {
  default?: T
  /** Returns what is wrong with a value. */
  rule?: (value: T) => string | undefined
  /** A plain number is allowed too. */
  orNumber?: boolean
}

/** A JSON object or list without a table of its own. `T` is its type for the code. */
export function json<T extends object | number = Record<string, unknown>>() {
  return <const O extends JsonOptions<T>>(options: O) =>
    field<T, O>(options, {
      kind: 'json',
      column: 'jsonb',
      operators: ['null'],
      offered: ['null'],
      unsortable: true,
      sample: () => ({ a: 1 }) as unknown as T,
      check: (value) => {
        const isNumber = options.orNumber && typeof value === 'number' && Number.isFinite(value)
        if (!isNumber && (typeof value !== 'object' || value === null)) return wrong(messages.json)
        const written = JSON.stringify(value)
        if (written.length > MAX_JSON) return wrong(messages.maxLength(MAX_JSON))
        if (written.includes('\\u0000')) return wrong(messages.nul)
        const broken = options.rule?.(value as T)
        return broken ? wrong(broken) : ok(value as T)
      },
      parse: () => wrong(messages.json),
      toSql: (value) => JSON.stringify(value),
      jsonSchema: { type: options.orNumber ? ['object', 'array', 'number'] : ['object', 'array'] },
    })
}
