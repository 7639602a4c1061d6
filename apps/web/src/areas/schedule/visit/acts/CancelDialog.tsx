import { SegmentedControl } from '@mantine/core'
import { cancelReasons } from '@ordinator/model/areas/visits/rules'
import { useState } from 'react'
import { ReasonDialog } from '#kit/ReasonDialog.tsx'

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
  const [by, setBy] = useState<'patient' | 'clinic'>('patient')
  return (
    <ReasonDialog
      title={patient ? `Отменить запись: ${patient}` : 'Отменить запись'}
      action="Отменить запись"
      cancel="Не отменять"
      reasons={cancelReasons}
      more={(reason) =>
        reason !== 'clinic' && (
          <SegmentedControl
            aria-label="Кто отменил"
            data={[
              { value: 'patient', label: 'Отменил пациент' },
              { value: 'clinic', label: 'Отменила клиника' },
            ]}
            value={by}
            onChange={(value) => setBy(value as typeof by)}
          />
        )
      }
      onClose={() => onAnswer()}
      send={async (reason, note) =>
        onAnswer({
          cancelReason: reason,
          cancelNote: note || null,
          cancelledBy: reason === 'clinic' ? 'clinic' : by,
        })
      }
    />
  )
}
