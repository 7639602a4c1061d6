import { type SchemeName, schemes } from '../identifiers.ts'
import { messages } from '../messages.ts'
import { type FieldOptions, field, ok, textual, wrong } from './field.ts'

/** Fewer signs than these are in half of all numbers. */
const MIN_SIGNS = 4

/**
 * An identifier that the state or a standard numbers by (`identifiers.ts`): any usual spelling in, one form stored and on
 * the wire, a wrong check number refused.
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
      // A whole one in any spelling is found as stored; a part of one without what only parts it.
      parse(raw) {
        if (raw.includes('\0')) return wrong(messages.nul)
        const whole = read(raw)
        return whole.ok ? whole : ok(raw.replace(/[^\p{L}\d.]/gu, ''))
      },
      jsonSchema: { type: 'string', pattern },
    },
  )
}
