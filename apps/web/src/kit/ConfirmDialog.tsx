import { Button, Group, Modal, Text } from '@mantine/core'
import type { Question } from './confirm.ts'
import { useReturnFocus } from './useReturnFocus.ts'

interface Props {
  question: Question
  onAnswer: (agreed: boolean) => void
}

/** Esc is the refusal, Enter the button in focus: the safe one when the answer destroys. */
export default function ConfirmDialog({ question, onAnswer }: Props) {
  useReturnFocus()
  const { title = 'Подтвердите действие', message, confirm = 'Подтвердить', cancel = 'Отмена', danger } = question
  return (
    <Modal opened onClose={() => onAnswer(false)} title={title} zIndex={400}>
      <Text style={{ whiteSpace: 'pre-line' }}>{message}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={() => onAnswer(false)} data-autofocus={danger || undefined}>
          {cancel}
        </Button>
        <Button
          color={danger ? 'red' : undefined}
          onClick={() => onAnswer(true)}
          data-autofocus={danger ? undefined : true}
        >
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}
