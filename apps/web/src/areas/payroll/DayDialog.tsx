import { Button, TextInput } from '@mantine/core'
import { PayrollPeriod, TimesheetDay } from '@ordinator/model/areas/payroll/payroll'
import { formatDay } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useRemove, useSave } from '#records/writes.ts'

interface Props {
  idUser: number
  idFilial: number
  name: string
  day: string
  now: { hours: number; nightHours: number; reason: string | null; idCorrection: number | null } | undefined
  onClose: () => void
}

/** Correction of a day's worked hours against the shifts. */
export function DayDialog({ idUser, idFilial, name, day, now, onClose }: Props) {
  const cache = useQueryClient()
  const [hours, setHours] = useState<number | string | null>(now?.hours ?? 0)
  const [nightHours, setNight] = useState<number | string | null>(now?.nightHours ?? 0)
  const [reason, setReason] = useState(now?.reason ?? '')
  const save = useSave(TimesheetDay, { toast: false })
  const remove = useRemove(TimesheetDay, { message: 'День снова считается по сменам' })
  const id = now?.idCorrection
  const settle = () => invalidateRecords(cache, PayrollPeriod.path)
  const run = async () => {
    const said = { hours: Number(hours), nightHours: Number(nightHours ?? 0), reason: reason.trim() }
    await save.mutateAsync(id ? { id, ...said } : { idUser, idFilial, localDate: day, ...said })
    await settle()
  }
  const drop = async () => {
    if (id) await remove.mutateAsync(id)
    await settle()
    onClose()
  }
  return (
    <ActionDialog
      title={`${name}, ${formatDay(day)}`}
      action="Сохранить"
      faults={{
        hours: typeof hours !== 'number' && 'Сколько часов отработано',
        reason: reason.trim() === '' && 'Напишите, почему иначе, чем в сменах',
      }}
      more={
        id && (
          <Button variant="subtle" onClick={() => void drop()}>
            По сменам
          </Button>
        )
      }
      run={run}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <NumberField label="Часов" required value={hours} error={errorOf('hours')} onChange={setHours} />
          <NumberField label="Из них ночью" value={nightHours} error={errorOf('nightHours')} onChange={setNight} />
          <TextInput
            label="Почему"
            required
            maxLength={200}
            value={reason}
            error={errorOf('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}
