import { Textarea } from '@mantine/core'
import { messages } from '@ordinator/model/messages'
import { type ReactNode, useState } from 'react'
import { ActionDialog } from './ActionDialog.tsx'

interface Props {
  title: string
  label: string
  description?: string
  /** Text is required; a string is the error message, default «Обязательное поле». */
  required?: boolean | string
  max?: number
  action: string
  failed?: string
  /** The initial text. */
  initial?: string
  danger?: boolean
  /** Content above the field. */
  children?: ReactNode
  /** As `run` of an ActionDialog. `words`: trimmed. */
  run: (words: string) => unknown
  onClose: () => void
}

/** Asks for a text that accompanies a decision. */
export function WordsDialog({
  label,
  description,
  required = false,
  max = 2000,
  initial = '',
  children,
  run,
  ...dialog
}: Props) {
  const [text, setText] = useState(initial)
  const words = text.trim()
  const fault = typeof required === 'string' ? required : messages.required
  return (
    <ActionDialog {...dialog} size={480} faults={{ words: required && !words && fault }} run={() => run(words)}>
      {(errorOf) => (
        <>
          {children}
          <Textarea
            label={label}
            description={description}
            required={required !== false}
            data-autofocus
            autosize
            minRows={3}
            maxRows={10}
            maxLength={max}
            value={text}
            error={errorOf('words')}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}
