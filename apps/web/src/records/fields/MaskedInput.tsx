import { TextInput } from '@mantine/core'
import { type HTMLInputTypeAttribute, useState } from 'react'
import { type InputProps, inputFrame } from './ui.ts'

interface Props extends InputProps {
  /** The kept value as people read it. */
  words: string
  /** The kept form of what is typed, once it is whole. */
  read: (typed: string) => string | undefined
  /** What is typed, laid out. */
  shape: (typed: string) => string
  inputMode?: 'tel' | 'numeric' | 'text'
  type?: HTMLInputTypeAttribute
}

/** Lays out what is typed or pasted at the end; anything else is left as written. Holds the kept form once it is whole. */
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
