import { Text } from '@mantine/core'
import { ActionDialog } from './ActionDialog.tsx'
import type { Question } from './confirm.ts'

interface Props {
  question: Question
  onAnswer: (agreed: boolean) => void
}

/** Escape cancels, Enter presses the focused button: the safe one for a destructive action. */
export default function ConfirmDialog({ question, onAnswer }: Props) {
  const { title = 'Подтвердите действие', message, confirm = 'Подтвердить', cancel, danger } = question
  return (
    <ActionDialog
      title={title}
      action={confirm}
      cancel={cancel}
      danger={danger}
      run={() => onAnswer(true)}
      onClose={() => onAnswer(false)}
    >
      <Text style={{ whiteSpace: 'pre-line' }}>{message}</Text>
    </ActionDialog>
  )
}
