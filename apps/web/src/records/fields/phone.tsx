import { TextInput } from '@mantine/core'
import { phoneOf, phoneText } from '@ordinator/model/phone'
import { useState } from 'react'
import { maskPhone } from './maskPhone.ts'
import { type CellProps, type FieldUi, type InputProps, inputFrame, isEmpty } from './ui.ts'

const words = (value: unknown) => phoneText(value === null || value === undefined ? '' : String(value))

const PhoneCell = ({ value }: CellProps) => (isEmpty(value) ? null : <span className="tabular">{words(value)}</span>)

/** Shapes a Russian number while it is typed at the end; anything else is left as written. Holds E.164 once it is whole. */
function PhoneField(props: InputProps) {
  const { value, onChange, onBlur } = props
  const [typed, setTyped] = useState<string>()
  return (
    <TextInput
      {...inputFrame(props)}
      type="tel"
      inputMode="tel"
      autoComplete="off"
      placeholder={props.placeholder ?? '+7 (___) ___-__-__'}
      value={typed ?? words(value)}
      onChange={(event) => {
        const input = event.currentTarget
        const atEnd = input.selectionStart === input.value.length
        const shaped =
          atEnd && input.value.length > (typed ?? words(value)).length ? maskPhone(input.value) : input.value
        setTyped(shaped)
        onChange(phoneOf(shaped) ?? shaped)
      }}
      onBlur={() => {
        setTyped(undefined)
        onBlur?.()
      }}
    />
  )
}

export const phone: FieldUi = { Input: PhoneField, Cell: PhoneCell, text: words, width: 160 }
