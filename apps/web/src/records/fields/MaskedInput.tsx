import { TextInput } from '@mantine/core'
import { type HTMLInputTypeAttribute, useState } from 'react'
import { type InputProps, inputFrame } from './ui.ts'

interface Props extends InputProps {
  /** The stored value as text. */
  words: string
  /** The stored form of the input, once it is complete. */
  read: (typed: string) => string | undefined
  /** The input in formatted form. */
  shape: (typed: string) => string
  inputMode?: 'tel' | 'numeric' | 'text'
  type?: HTMLInputTypeAttribute
}

/** Formats input typed or pasted at the end; other edits are left alone. Its value is the stored form once complete. */
export function MaskedInput({ words, read, shape, inputMode, type, ...props }: Props) {
  const { onChange, onBlur } = props
  const [typed, setTyped] = useState<string>()
  return (
    <TextInput
      {...inputFrame(props)}
      type={type}
      inputMode={inputMode}
      autoComplete="off"
      placeholder={props.placeholder}
      value={typed ?? words}
      onChange={(event) => {
        const input = event.currentTarget
        const atEnd = input.selectionStart === input.value.length
        const shaped = atEnd && input.value.length > (typed ?? words).length ? shape(input.value) : input.value
        setTyped(shaped)
        onChange(read(shaped) ?? shaped)
      }}
      onBlur={() => {
        setTyped(undefined)
        onBlur?.()
      }}
    />
  )
}
