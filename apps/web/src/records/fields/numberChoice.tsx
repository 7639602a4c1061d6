import { choice } from './choice.tsx'
import type { FieldUi, InputProps } from './ui.ts'

const Choice = choice.Input as NonNullable<typeof choice.Input>

/** Like a text choice, with numbers in wire format. */
const NumberChoice = (props: InputProps) => (
  <Choice {...props} onChange={(chosen) => props.onChange(chosen === null ? null : Number(chosen))} />
)

export const numberChoice: FieldUi = { ...choice, Input: NumberChoice }
