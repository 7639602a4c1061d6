import { phoneDoubt, phoneOf, phonesIn, phoneText } from '@ordinator/model/phone'
import { useState } from 'react'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { MaskedInput } from './MaskedInput.tsx'
import { maskPhone } from './maskPhone.ts'
import classes from './phone.module.css'
import { asPasted, type CellProps, type FieldUi, type InputProps, isEmpty } from './ui.ts'

const words = (value: unknown) => phoneText(value === null || value === undefined ? '' : String(value))

const PhoneCell = ({ value }: CellProps) => (isEmpty(value) ? null : <PhoneLink phone={String(value)} bare />)

/**
 * Formats a Russian number while it is typed at the end; other input is left alone. Its value is E.164 once complete. A
 * number with an extension, or several, becomes the first one when the field is left, and the rest is shown.
 */
function PhoneField(props: InputProps) {
  const { value, onChange, onBlur } = props
  const [left, setLeft] = useState('')
  const written = isEmpty(value) ? '' : String(value)
  const doubt = phoneDoubt(written) ?? (left && `Кроме номера было: «${left}». Впишите это в примечание`)
  return (
    <MaskedInput
      {...props}
      description={doubt ? <span className={classes.doubt}>{doubt}</span> : props.description}
      placeholder={props.placeholder ?? '+7 (___) ___-__-__'}
      words={words(value)}
      read={phoneOf}
      shape={maskPhone}
      type="tel"
      inputMode="tel"
      onChange={(next) => {
        setLeft('')
        onChange(next)
      }}
      onBlur={() => {
        const { phones, note } = phonesIn(written)
        const [first, ...others] = phones
        if (first && first !== written) {
          onChange(first)
          setLeft([...others.map(phoneText), note].filter(Boolean).join(', '))
        }
        onBlur?.()
      }}
    />
  )
}

export const phone: FieldUi = { Input: PhoneField, Cell: PhoneCell, text: words, width: 185, pasted: asPasted }
