import { Checkbox, Select } from '@mantine/core'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { readDaysAgain } from '../day.ts'

interface Props {
  visit: {
    id: number
    coupons: readonly { idUser: number; cancelled: boolean; user?: { shortFio: string } | null }[]
  }
  onClose: () => void
}

/** Adds a service to the visit: its coupon gets longer, or keeps its duration if the next time is taken. */
export function AddServiceDialog({ visit, onClose }: Props) {
  const cache = useQueryClient()
  const doctors = new Map(
    visit.coupons.flatMap(({ idUser, cancelled, user }) =>
      cancelled ? [] : [[idUser, user?.shortFio ?? 'Врач'] as const],
    ),
  )
  const [isTaken, setTaken] = useState(false)
  return (
    <FormDialog
      title="Добавить услугу"
      action="Добавить"
      draft={{
        idService: null as number | null,
        idUser: [...doctors.keys()][0],
        qty: 1 as number | null,
        keepTime: false,
      }}
      required={{ idService: 'Выберите услугу', qty: 'Укажите количество' }}
      faults={({ qty }) => (qty !== null && qty <= 0 ? { qty: 'Укажите количество' } : {})}
      send={async ({ idUser, ...service }) => {
        try {
          return await api('POST /appointments/:id/services', {
            params: { id: visit.id },
            body: { ...service, ...(idUser !== undefined && { idUser }) },
          })
        } catch (error) {
          if (error instanceof ApiError && (error.code === 'taken' || error.code === 'outside')) setTaken(true)
          throw error
        }
      }}
      done={async () => {
        await Promise.all([invalidateRecords(cache, Appointment.path), readDaysAgain(cache)])
        notify.success('Услуга добавлена')
      }}
      onClose={onClose}
    >
      {({ draft: { idUser, keepTime }, number, value, set, errorOf }) => (
        <>
          <RefSelect to={Service.path} label="Услуга" required autoFocus {...value('idService')} />
          <NumberField label="Количество" digits={3} {...number('qty')} />
          {doctors.size > 1 && (
            <Select
              label="Кто выполняет"
              data={[...doctors].map(([id, name]) => ({ value: String(id), label: name }))}
              value={idUser === undefined ? null : String(idUser)}
              error={errorOf('idUser')}
              onChange={(chosen) => set({ idUser: chosen ? Number(chosen) : undefined })}
            />
          )}
          <Checkbox
            label="Уложиться в то же время"
            checked={keepTime}
            onChange={({ currentTarget: { checked } }) => set({ keepTime: checked })}
          />
          {isTaken && !keepTime && (
            <Fine role="status">Продлить визит некуда: отметьте «Уложиться в то же время» или перенесите его.</Fine>
          )}
        </>
      )}
    </FormDialog>
  )
}
