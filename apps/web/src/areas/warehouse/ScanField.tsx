import { TextInput } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { useHotkey } from '#kit/hotkeys.ts'

interface Props {
  /** Handles a scanned code. @returns the message to show */
  onCode: (code: string) => Promise<string>
  label: string
  disabled?: boolean
  /** Ready for the scanner as soon as it is shown. */
  autoFocus?: boolean
}

/**
 * Input for a scanner, which types and presses Enter faster than the server responds. Codes are queued; the last result
 * is shown below.
 */
export function ScanField({ onCode, label, disabled, autoFocus }: Props) {
  const [text, setText] = useState('')
  const [result, setResult] = useState<{ message: string; wrong: boolean }>()
  const line = useRef<Promise<unknown>>(Promise.resolve())
  const field = useRef<HTMLInputElement>(null)
  useHotkey('f2', () => field.current?.focus(), { label: 'К полю сканера', group: 'Склад', whileTyping: true })
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  const take = (code: string) => {
    setText('')
    line.current = line.current.then(() =>
      onCode(code).then(
        (message) => setResult({ message, wrong: false }),
        (error: unknown) =>
          setResult({
            message: error instanceof ApiError ? errorMessage(error) : 'Нет связи, повторите',
            wrong: true,
          }),
      ),
    )
  }
  return (
    <TextInput
      ref={field}
      aria-label={label}
      placeholder={label}
      leftSection={<IconBarcode size={18} aria-hidden />}
      autoComplete="off"
      spellCheck={false}
      size="md"
      w="100%"
      maw={520}
      disabled={disabled}
      value={text}
      error={result?.wrong ? result.message : undefined}
      description={result && !result.wrong ? result.message : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || text.trim() === '') return
        event.preventDefault()
        take(text)
      }}
    />
  )
}
