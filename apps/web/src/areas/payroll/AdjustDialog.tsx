import { Select, Textarea } from '@mantine/core'
import { PayrollAdjustment, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { type AdjustmentKind, adjustmentKinds } from '@ordinator/model/areas/payroll/states'
import { useQueryClient } from '@tanstack/react-query'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useSave } from '#records/writes.ts'

const draft = { kind: 'bonus' as AdjustmentKind, sum: null as number | null, reason: '' }

const notes: Partial<Record<AdjustmentKind, string>> = {
  deduction: 'Удержания из зарплаты ограничивает Трудовой кодекс (ст. 137, 138)',
  reduction: 'Уменьшает премию: за нарушение регламента, невыполнение плана',
}

/** A manual line with its reason. */
export function AdjustDialog({ idSlip, onClose }: { idSlip: number; onClose: () => void }) {
  const cache = useQueryClient()
  const save = useSave(PayrollAdjustment, { toast: false })
  return (
    <FormDialog
      title="Премия или удержание"
      action="Добавить"
      draft={draft}
      required={{ sum: 'Укажите сумму', reason: 'Напишите основание' }}
      send={(line) => save.mutateAsync({ idSlip, ...line })}
      done={() => invalidateRecords(cache, PayrollSlip.path)}
      onClose={onClose}
    >
      {({ draft: { kind }, text, number, choice }) => (
        <>
          <Select
            label="Вид"
            allowDeselect={false}
            data={Object.entries(adjustmentKinds).map(([value, label]) => ({ value, label }))}
            description={notes[kind]}
            {...choice('kind')}
          />
          <NumberField label="Сумма" required digits={2} unit="₽" {...number('sum')} />
          <Textarea label="Основание" required autosize minRows={2} maxLength={500} {...text('reason')} />
        </>
      )}
    </FormDialog>
  )
}
