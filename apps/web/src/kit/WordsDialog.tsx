import { Textarea } from '@mantine/core'
import { messages } from '@ordinator/model/messages'
import { type ReactNode, useState } from 'react'
import { ActionDialog } from './ActionDialog.tsx'

interface Props {
  title: string
  label: string
  description?: string
  /** Nothing is done without words; the text of the refusal, «Обязательное поле» unless told. */
  required?: boolean | string
  max?: number
  action: string
  failed?: string
  /** The words that stand there already. */
  initial?: string
  danger?: boolean
  /** Above the words. */
  children?: ReactNode
  /** As `run` of an ActionDialog. `words`: without spaces around. */
  run: (words: string) => unknown
  onClose: () => void
}

/** Asks for the words that go with a decision. */
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
