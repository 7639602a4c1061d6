import { Appointment } from '@ordinator/model/areas/visits/visit'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { useList } from '#records/reads.ts'

const HangingDialog = part(async () => ({ default: (await import('./HangingDialog.tsx')).HangingDialog }))

/**
 * «Требуют переноса: 3»: visits to come of the branch without a shift, by an absence, a shorter shift, a doctor who has
 * left or a closed branch; opens their list. Nothing where there are none.
 */
export function HangingButton({ idFilial, today }: { idFilial: number; today: string }) {
  const [isOpen, setOpen] = useState(false)
  const marked = useList(
    Appointment,
    {
      filter: { idFilial, needsRebook: true, localDate: { gte: today } },
      expand: ['coupons'],
      sort: 'dateFrom',
      limit: 100,
    },
    { forbidden: 'silent' },
  ).data?.items
  const hits = marked?.flatMap(({ id, coupons }) => coupons.map((one) => ({ idAppointment: id, idCoupon: one.id })))
  if (!marked?.length || !hits) return null
  return (
    <>
      <ActionButton
        label={`Требуют переноса: ${marked.length}`}
        icon={IconAlertTriangle}
        variant="light"
        color="yellow"
        onClick={() => setOpen(true)}
      />
      {isOpen && <HangingDialog hits={hits} doctors={[]} onClose={() => setOpen(false)} />}
    </>
  )
}
