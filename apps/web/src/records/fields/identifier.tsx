import type { AnyField } from '@ordinator/model/entity'
import { laid, type Scheme, type SchemeName, schemes } from '@ordinator/model/identifiers'
import { MaskedInput } from './MaskedInput.tsx'
import { asPasted, type CellProps, type FieldUi, type InputProps, isEmpty } from './ui.ts'

const schemeOf = (f: AnyField): Scheme => schemes[f.options.scheme as SchemeName]

const words = (value: unknown, f: AnyField) => {
  const text = isEmpty(value) ? '' : String(value)
  // An incomplete value is shown as typed.
  return schemeOf(f).read(text).ok ? schemeOf(f).text(text) : text
}

const IdentifierCell = ({ value, f }: CellProps) =>
  isEmpty(value) ? null : <span className="tabular">{words(value, f)}</span>

function IdentifierField(props: InputProps) {
  const scheme = schemeOf(props.f)
  const { shape } = scheme
  const room = shape?.replace(/\D/g, '').length ?? 0
  return (
    <MaskedInput
      {...props}
      placeholder={props.placeholder ?? shape?.replaceAll('0', '_')}
      words={words(props.value, props.f)}
      read={(typed) => {
        const read = scheme.read(typed)
        return read.ok ? read.value : undefined
      }}
      shape={(typed) => {
        const digits = typed.replace(/\D/g, '')
        return shape && digits.length <= room && !/\p{L}/u.test(typed) ? laid(shape, digits) : typed
      }}
      inputMode={shape ? 'numeric' : 'text'}
    />
  )
}

export const identifier: FieldUi = {
  Input: IdentifierField,
  Cell: IdentifierCell,
  text: words,
  width: 180,
  pasted: asPasted,
}
