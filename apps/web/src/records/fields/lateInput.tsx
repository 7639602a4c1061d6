import { TextInput } from '@mantine/core'
import type { ComponentType } from 'react'
import { part } from '#base/chunk.ts'
import { type InputProps, inputFrame } from './ui.ts'

type Rare = typeof import('./rareInputs.tsx')

/** An input of a rare field type; until its code is there, an empty field of the same frame. */
export const lateInput = (name: keyof Rare): ComponentType<InputProps> =>
  part<InputProps>(
    async () => ({ default: (await import('./rareInputs.tsx'))[name] }),
    (props) => <TextInput {...inputFrame(props)} value="" readOnly />,
  )
