import { Button, Group, Modal, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useReturnFocus } from '../../../kit/useReturnFocus.ts'

const MAX_REASON = 2000

interface Props {
  title: string
  label: string
  required: boolean
  confirm: string
  danger?: boolean
  busy: boolean
  /** More to fill in, above the words. */
  children?: ReactNode
  onConfirm: (words: string) => void
  onClose: () => void
}

/** Asks for the words that go with a decision. Ctrl+Enter agrees. */
export function ReasonDialog({ title, label, required, confirm, danger, busy, children, onConfirm, onClose }: Props) {
  useReturnFocus()
  const [words, setWords] = useState('')
  const [error, setError] = useState<string>()
  const agree = () => {
    if (busy) return
    if (required && !words.trim()) return setError('Обязательное поле')
    onConfirm(words.trim())
  }
  return (
    <Modal opened onClose={onClose} title={title} size={480} zIndex={300}>
      {children}
      <Textarea
        label={label}
        required={required}
        data-autofocus
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MAX_REASON}
        value={words}
        error={error}
        onChange={(event) => {
          setWords(event.currentTarget.value)
          setError(undefined)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.stopPropagation()
          agree()
        }}
      />
      <Group justify="flex-end" mt="md" gap={8}>
        <Button variant="default" onClick={onClose}>
          Отмена
        </Button>
        <Button color={danger ? 'red' : undefined} loading={busy} onClick={agree}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
