import { messages } from '../messages.ts'
import { type Checked, type FieldOptions, field, ok, textual, wrong } from './field.ts'

/** A text without a limit of its own is still cut off here, so that no field takes a whole body. */
const MAX_TEXT = 10_000

export interface TextOptions extends FieldOptions {
  default?: string
  min?: number
  max?: number
  /** Shown as a growing area instead of one line. */
  multiline?: boolean
  /** A further rule: answers the text to show, or undefined. */
  rule?: (value: string) => string | undefined
}

/** A string, trimmed at both ends. */
export function text<const O extends TextOptions>(options: O) {
  const max = options.max ?? MAX_TEXT
  return field<string, O>(options, {
    kind: 'text',
    column: 'text',
    operators: textual,
    offered: ['ilike', 'eq', 'neq', 'null'],
    keepsEmpty: true,
    anyCase: true,
    sample: (number) => `t${number}`.slice(0, max),
    check: (value) => checkText(value, { ...options, max }),
    parse: (raw) => (raw.includes('\0') ? wrong(messages.nul) : ok(raw)),
    jsonSchema: { type: 'string', maxLength: max },
  })
}

/** Characters as people count them: what takes two places of a string is one. */
const charactersOf = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/** Shared by all field types that are a string on the wire. */
export function checkText(
  value: unknown,
  rules: Pick<TextOptions, 'required' | 'min' | 'max' | 'rule'>,
): Checked<string> {
  if (typeof value !== 'string') return wrong(messages.string)
  const trimmed = value.trim()
  if (trimmed.includes('\0')) return wrong(messages.nul)
  if (rules.required && trimmed === '') return wrong(messages.required)
  const length = charactersOf(trimmed)
  if (rules.max !== undefined && length > rules.max) return wrong(messages.maxLength(rules.max))
  if (rules.min !== undefined && trimmed !== '' && length < rules.min) return wrong(messages.minLength(rules.min))
  const broken = rules.rule?.(trimmed)
  return broken ? wrong(broken) : ok(trimmed)
}
