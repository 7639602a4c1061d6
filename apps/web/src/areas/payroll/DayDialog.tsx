import { Button, TextInput } from '@mantine/core'
import { PayrollPeriod, TimesheetDay } from '@ordinator/model/areas/payroll/payroll'
import { formatDay } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { FormDialog } from '#kit/FormDialog.tsx'
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
  const save = useSave(TimesheetDay, { toast: false })
  const remove = useRemove(TimesheetDay, { message: 'День снова считается по сменам' })
  const id = now?.idCorrection
  const readAgain = () => invalidateRecords(cache, PayrollPeriod.path)
  const drop = async () => {
    if (id) await remove.mutateAsync(id)
    await readAgain()
    onClose()
  }
  return (
    <FormDialog
      title={`${name}, ${formatDay(day)}`}
      action="Сохранить"
      draft={{
        hours: (now?.hours ?? 0) as number | null,
        nightHours: (now?.nightHours ?? 0) as number | null,
        reason: now?.reason ?? '',
      }}
      required={{ hours: 'Сколько часов отработано', reason: 'Напишите, почему иначе, чем в сменах' }}
      more={
        id && (
          <Button variant="subtle" onClick={() => void drop()}>
            По сменам
          </Button>
        )
      }
      send={({ nightHours, ...rest }) => {
        const body = { ...rest, nightHours: nightHours ?? 0 }
        return save.mutateAsync(id ? { id, ...body } : { idUser, idFilial, localDate: day, ...body })
      }}
      done={readAgain}
      onClose={onClose}
    >
      {({ text, number }) => (
        <>
          <NumberField label="Часов" required {...number('hours')} />
          <NumberField label="Из них ночью" {...number('nightHours')} />
          <TextInput label="Почему" required maxLength={200} {...text('reason')} />
        </>
      )}
    </FormDialog>
  )
}
