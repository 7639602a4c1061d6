import { Text } from '@mantine/core'
import { ActionDialog } from './ActionDialog.tsx'
import type { Question } from './confirm.ts'

interface Props {
  question: Question
  onAnswer: (agreed: boolean) => void
}

/** Esc is the refusal, Enter the button in focus: the safe one when the answer destroys. */
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
