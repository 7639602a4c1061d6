import { phoneOf, phoneText } from '@ordinator/model/phone'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { MaskedInput } from './MaskedInput.tsx'
import { maskPhone } from './maskPhone.ts'
import { type CellProps, type FieldUi, type InputProps, isEmpty } from './ui.ts'

const words = (value: unknown) => phoneText(value === null || value === undefined ? '' : String(value))

const PhoneCell = ({ value }: CellProps) => (isEmpty(value) ? null : <PhoneLink phone={String(value)} bare />)

/** Formats a Russian number while it is typed at the end; other input is left alone. Its value is E.164 once complete. */
const PhoneField = (props: InputProps) => (
  <MaskedInput
    {...props}
    placeholder={props.placeholder ?? '+7 (___) ___-__-__'}
    words={words(props.value)}
    read={phoneOf}
    shape={maskPhone}
    type="tel"
    inputMode="tel"
  />
)

export const phone: FieldUi = { Input: PhoneField, Cell: PhoneCell, text: words, width: 185 }
