import { PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { User } from '@ordinator/model/areas/staff/user'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useSave } from '#records/writes.ts'

/** Adds a slip for a person without a scheme, for manual lines. */
export function AddPerson({ idPeriod, onMade }: { idPeriod: number; onMade: (id: number) => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        label="Добавить сотрудника"
        icon={IconUserPlus}
        variant="default"
        size="compact-md"
        w="fit-content"
        onClick={() => setOpen(true)}
      />
      {open && <Add idPeriod={idPeriod} onMade={onMade} onClose={() => setOpen(false)} />}
    </>
  )
}

interface Props {
  idPeriod: number
  onMade: (id: number) => void
  onClose: () => void
}

function Add({ idPeriod, onMade, onClose }: Props) {
  const save = useSave(PayrollSlip, { toast: false })
  return (
    <FormDialog
      title="Добавить в ведомость"
      action="Добавить"
      draft={{ idUser: null as number | null }}
      required={{ idUser: 'Выберите сотрудника' }}
      send={({ idUser }) => save.mutateAsync({ idPeriod, idUser })}
      done={({ id }) => onMade(id)}
      onClose={onClose}
    >
      {({ value }) => <RefSelect label="Сотрудник" required to={User.path} {...value('idUser')} />}
    </FormDialog>
  )
}
