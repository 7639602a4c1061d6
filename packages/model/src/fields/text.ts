import { messages } from '../messages.ts'
import { nameSpelling, plainSpelling, soughtSpelling } from '../spelling.ts'
import { type Checked, type FieldOptions, field, ok, textual, wrong } from './field.ts'

/** Default maximum, so that no field takes a whole body. */
const MAX_TEXT = 10_000

export interface TextOptions extends FieldOptions {
  default?: string
  min?: number
  max?: number
  /** A valid value, different for different numbers; for the contract suite. */
  sample?: (number: number) => string
  /** Rendered as a growing text area. */
  multiline?: boolean
  /**
   * For names of people and places: normalised dashes, apostrophes and spaces. `fio`: a person's full name, also found by
   * its words in any order and by initials.
   */
  spelling?: 'name' | 'fio'
  /** A further rule: returns the error message, or undefined. */
  rule?: (value: string) => string | undefined
}

/** A string, trimmed at both ends. */
export function text<const O extends TextOptions>(options: O) {
  const max = options.max ?? MAX_TEXT
  const { spelling, search } = options
  const spelled = spelling ? nameSpelling : search === 'words' ? soughtSpelling : plainSpelling
  return field<string, O>(options, {
    kind: 'text',
    column: 'text',
    operators: textual,
    offered: ['ilike', 'eq', 'neq', 'null'],
    keepsEmpty: true,
    anyCase: true,
    sample: (number) => options.sample?.(number) ?? `t${number}`.slice(0, max),
    check: (value) => checkText(value, { ...options, max }),
    parse: (raw) => (raw.includes('\0') ? wrong(messages.nul) : ok(spelled(raw))),
    jsonSchema: { type: 'string', maxLength: max },
  })
}

/** Number of characters as people count them: a surrogate pair is one. */
const charactersOf = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)

/** Shared by all field types with strings in wire format. */
export function checkText(
  value: unknown,
  rules: Pick<TextOptions, 'required' | 'min' | 'max' | 'rule' | 'spelling'>,
): Checked<string> {
  if (typeof value !== 'string') return wrong(messages.string)
  const trimmed = (rules.spelling ? nameSpelling(value) : plainSpelling(value)).trim()
  if (trimmed.includes('\0')) return wrong(messages.nul)
  if (rules.required && trimmed === '') return wrong(messages.required)
  const length = charactersOf(trimmed)
  if (rules.max !== undefined && length > rules.max) return wrong(messages.maxLength(rules.max))
  if (rules.min !== undefined && trimmed !== '' && length < rules.min) return wrong(messages.minLength(rules.min))
  const broken = rules.rule?.(trimmed)
  return broken ? wrong(broken) : ok(trimmed)
}
