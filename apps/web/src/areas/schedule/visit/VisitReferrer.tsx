import { Referrer } from '@ordinator/model/areas/referrers/referrer'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { useState } from 'react'
import { ReferrerSelect, useHasReferrers } from '#areas/referrers/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { useRecord } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'
import { useScheduleRights } from '../rights.ts'
import type { Visit } from './visit.ts'

/** Who sent the patient from outside; shown where the clinic keeps it, or the visit has one. */
export function VisitReferrer({ visit: { id, idReferrer } }: { visit: Visit }) {
  const isOn = useHasReferrers()
  const rights = useScheduleRights()
  const save = useSave(Appointment)
  const [open, setOpen] = useState(false)
  const referrer = useRecord(Referrer, idReferrer ?? undefined, { fields: ['name'] }, { forbidden: 'silent' })
  if (!isOn && idReferrer === null) return null
  return (
    <>
      <dt>Кто направил</dt>
      <dd>
        {idReferrer === null ? '—' : (referrer.data?.name ?? 'Направивший со стороны')}{' '}
        {rights.edit && (
          <ActionButton
            label={idReferrer === null ? 'Указать' : 'Изменить'}
            size="compact-xs"
            variant="subtle"
            onClick={() => setOpen(true)}
          />
        )}
      </dd>
      {open && (
        <FormDialog
          title="Кто направил"
          action="Сохранить"
          draft={{ idReferrer }}
          send={(draft) => save.mutateAsync({ id, ...draft })}
          onClose={() => setOpen(false)}
        >
          {({ value }) => <ReferrerSelect {...value('idReferrer')} />}
        </FormDialog>
      )}
    </>
  )
}
