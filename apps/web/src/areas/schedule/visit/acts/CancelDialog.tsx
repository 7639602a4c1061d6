import { SegmentedControl, Select, Textarea } from '@mantine/core'
import { cancelReasons } from '@ordinator/model/areas/visits/rules'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'

interface CancelAnswer {
  cancelReason: keyof typeof cancelReasons
  cancelNote: string | null
  cancelledBy: 'patient' | 'clinic'
}

interface Props {
  patient: string | null
  /** undefined: not cancelled. */
  onAnswer: (answer?: CancelAnswer) => void
}

/** Reason and initiator of a cancellation. */
export function CancelDialog({ patient, onAnswer }: Props) {
  const [reason, setReason] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [by, setBy] = useState<'patient' | 'clinic'>('patient')
  return (
    <ActionDialog
      title={patient ? `Отменить запись: ${patient}` : 'Отменить запись'}
      action="Отменить запись"
      cancel="Не отменять"
      danger
      faults={{ reason: !reason && 'Выберите причину' }}
      onClose={() => onAnswer()}
      run={() =>
        onAnswer({
          cancelReason: reason as keyof typeof cancelReasons,
          cancelNote: note.trim() || null,
          cancelledBy: reason === 'clinic' ? 'clinic' : by,
        })
      }
    >
      {(errorOf) => (
        <>
          <Select
            label="Причина"
            required
            data-autofocus
            data={Object.entries(cancelReasons).map(([value, label]) => ({ value, label }))}
            value={reason}
            error={errorOf('reason')}
            onChange={setReason}
          />
          {reason !== 'clinic' && (
            <SegmentedControl
              aria-label="Кто отменил"
              data={[
                { value: 'patient', label: 'Отменил пациент' },
                { value: 'clinic', label: 'Отменила клиника' },
              ]}
              value={by}
              onChange={(value) => setBy(value as typeof by)}
            />
          )}
          <Textarea
            label="Пояснение"
            autosize
            minRows={2}
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}
