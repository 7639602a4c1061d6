import { Select, Textarea } from '@mantine/core'
import { PayrollAdjustment, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { type AdjustmentKind, adjustmentKinds } from '@ordinator/model/areas/payroll/states'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useSave } from '#records/writes.ts'

/** A manual line with its reason. */
export function AdjustDialog({ idSlip, onClose }: { idSlip: number; onClose: () => void }) {
  const cache = useQueryClient()
  const [kind, setKind] = useState<AdjustmentKind>('bonus')
  const [sum, setSum] = useState<number | string | null>(null)
  const [reason, setReason] = useState('')
  const save = useSave(PayrollAdjustment, { toast: false })
  const add = async () => {
    await save.mutateAsync({ idSlip, kind, sum: Number(sum), reason: reason.trim() })
    await invalidateRecords(cache, PayrollSlip.path)
  }
  return (
    <ActionDialog
      title="Премия или удержание"
      action="Добавить"
      faults={{
        sum: typeof sum !== 'number' && 'Укажите сумму',
        reason: reason.trim() === '' && 'Напишите основание',
      }}
      run={add}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Select
            label="Вид"
            allowDeselect={false}
            data={Object.entries(adjustmentKinds).map(([value, label]) => ({ value, label }))}
            value={kind}
            description={
              kind === 'deduction'
                ? 'Удержания из зарплаты ограничивает Трудовой кодекс (ст. 137, 138)'
                : kind === 'reduction'
                  ? 'Уменьшает премию: за нарушение регламента, невыполнение плана'
                  : undefined
            }
            onChange={(value) => setKind((value ?? 'bonus') as AdjustmentKind)}
          />
          <NumberField
            label="Сумма"
            required
            digits={2}
            unit="₽"
            value={sum}
            error={errorOf('sum')}
            onChange={setSum}
          />
          <Textarea
            label="Основание"
            required
            autosize
            minRows={2}
            maxLength={500}
            value={reason}
            error={errorOf('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}
