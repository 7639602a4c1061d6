import { TextInput } from '@mantine/core'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { readDaysAgain } from '../day.ts'

interface Props {
  /** Id of the visit. */
  id: number
  /** What was promised, and what holds without it: a line for each service. */
  promised: readonly string[]
  onDone: (price: Answer<'POST /appointments/:id/promise/withdraw'>) => void
  onClose: () => void
}

/** Takes back the quoted price, with a reason. */
export function WithdrawPromise({ id, promised, onDone, onClose }: Props) {
  const cache = useQueryClient()
  const [reason, setReason] = useState('')
  return (
    <ActionDialog
      title="Отозвать обещанную цену"
      action="Отозвать"
      onClose={onClose}
      faults={{ reason: reason.trim() === '' && 'Укажите причину' }}
      run={async () => {
        onDone(
          await api('POST /appointments/:id/promise/withdraw', { params: { id }, body: { reason: reason.trim() } }),
        )
        await Promise.all([invalidateRecords(cache, Appointment.path), readDaysAgain(cache)])
        notify.success('Обещанная цена отозвана: дальше — цена дня визита')
      }}
    >
      {(errorOf) => (
        <>
          <Fine>Эту цену назвали пациенту при записи. Услуги будут стоить столько, сколько в день визита.</Fine>
          {promised.map((words) => (
            <Fine key={words}>{words}</Fine>
          ))}
          <TextInput
            label="Причина"
            withAsterisk
            maxLength={400}
            value={reason}
            error={errorOf('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}
