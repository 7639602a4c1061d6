import { Checkbox, Select } from '@mantine/core'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
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
  const [idService, setService] = useState<number | null>(null)
  const [idUser, setUser] = useState<number | undefined>([...doctors.keys()][0])
  const [qty, setQty] = useState<number | string | null>(1)
  const [keepTime, setKeep] = useState(false)
  const [isTaken, setTaken] = useState(false)
  return (
    <ActionDialog
      title="Добавить услугу"
      action="Добавить"
      faults={{
        idService: idService === null && 'Выберите услугу',
        qty: (typeof qty !== 'number' || qty <= 0) && 'Укажите количество',
      }}
      onClose={onClose}
      run={async () => {
        try {
          await api('POST /appointments/:id/services', {
            params: { id: visit.id },
            body: {
              idService: idService as number,
              qty: qty as number,
              keepTime,
              ...(idUser !== undefined && { idUser }),
            },
          })
        } catch (error) {
          if (error instanceof ApiError && (error.code === 'taken' || error.code === 'outside')) setTaken(true)
          throw error
        }
        await Promise.all([invalidateRecords(cache, Appointment.path), readDaysAgain(cache)])
        notify.success('Услуга добавлена')
      }}
    >
      {(errorOf) => (
        <>
          <RefSelect
            to={Service.path}
            label="Услуга"
            required
            autoFocus
            value={idService}
            error={errorOf('idService')}
            onChange={setService}
          />
          <NumberField label="Количество" digits={3} value={qty} error={errorOf('qty')} onChange={setQty} />
          {doctors.size > 1 && (
            <Select
              label="Кто выполняет"
              data={[...doctors].map(([id, name]) => ({ value: String(id), label: name }))}
              value={idUser === undefined ? null : String(idUser)}
              error={errorOf('idUser')}
              onChange={(value) => setUser(value ? Number(value) : undefined)}
            />
          )}
          <Checkbox
            label="Уложиться в то же время"
            checked={keepTime}
            onChange={({ currentTarget: { checked } }) => setKeep(checked)}
          />
          {isTaken && !keepTime && (
            <Fine role="status">Продлить визит некуда: отметьте «Уложиться в то же время» или перенесите его.</Fine>
          )}
        </>
      )}
    </ActionDialog>
  )
}
