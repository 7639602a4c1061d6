import { type SchemeName, schemes } from '../identifiers.ts'
import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, textual, wrong } from './field.ts'

/** Fewer characters match too many numbers. */
const MIN_SIGNS = 4

/**
 * An identifier of the state or a standard (`identifiers.ts`): accepted in any usual format, stored and sent in one,
 * refused with a wrong check digit.
 */
export function identifier<const O extends FieldOptions>(scheme: SchemeName, options: O) {
  const { pattern, read, sample } = schemes[scheme]
  return field<string, O & { scheme: SchemeName }>(
    { ...options, scheme },
    {
      kind: 'identifier',
      column: 'text',
      operators: textual,
      offered: ['ilike', 'eq', 'null'],
      finds: (text) => text.replace(/[^\p{L}\d]/gu, '').length >= MIN_SIGNS,
      sample,
      check: (value) => (typeof value === 'string' ? read(value) : wrong(messages.string)),
      // A complete one in any format is found as stored; a part of one without separators.
      parse(raw) {
        if (raw.includes('\0')) return wrong(messages.nul)
        const whole = read(raw)
        return whole.ok ? whole : ok(raw.replace(/[^\p{L}\d.]/gu, ''))
      },
      jsonSchema: { type: 'string', pattern },
    },
  )
}
