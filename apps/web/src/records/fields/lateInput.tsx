import { TextInput } from '@mantine/core'
import { type ComponentType, useLayoutEffect, useRef, useState } from 'react'
import { loadChunk } from '#kit/chunk.ts'
import { type InputProps, inputFrame } from './ui.ts'

type Rare = typeof import('./rareInputs.tsx')

let loaded: Rare | undefined

/**
 * An input of a rare field type; until its code is there, an empty field of the same frame, whose focus it takes over.
 * @throws ChunkError during rendering, in the component's place
 */
export const lateInput = (name: keyof Rare): ComponentType<InputProps> =>
  function LateInput(props: InputProps) {
    const [inputs, setInputs] = useState(loaded)
    const [error, setError] = useState<unknown>()
    const frame = useRef<HTMLDivElement>(null)
    const hadFocus = useRef(false)
    useLayoutEffect(() => {
      if (inputs) {
        if (hadFocus.current) frame.current?.querySelector<HTMLElement>(FOCUSABLE)?.focus()
        return
      }
      loadChunk(() => import('./rareInputs.tsx')).then((all) => {
        loaded = all
        hadFocus.current = frame.current?.contains(document.activeElement) ?? false
        setInputs(all)
      }, setError)
    }, [inputs])
    if (error) throw error
    const Input = inputs?.[name]
    return (
      <div ref={frame} style={{ display: 'contents' }}>
        {Input ? <Input {...props} /> : <TextInput {...inputFrame(props)} value="" readOnly />}
      </div>
    )
  }

const FOCUSABLE = 'input, button, [tabindex="0"]'
