import { ServiceDuration, ServicePerformer } from '@ordinator/model/areas/catalogue/performer'
import { SERVICE, Service } from '@ordinator/model/areas/catalogue/service'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useFormContext, useWatch } from 'react-hook-form'
import { useAddress } from '#base/address.ts'
import { records } from '#base/client.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { RefMultiSelect } from '#records/fields/RefSelect.tsx'
import type { FormParts } from '#records/form/formParts.ts'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RecordForm } from '#records/RecordForm.tsx'
import { readCatalogue } from '../address.ts'

const names = ['nameService', 'serviceCategory', 'idGroup', 'idType', 'code', 'priceService', 'anyPerformer'] as const
const MAX_MINUTES = 1440

interface Props {
  onClose: () => void
  onMade: (id: number) => void
}

/** A new service in the open group: name, price, duration, performers. */
export function NewService({ onClose, onMade }: Props) {
  const cache = useQueryClient()
  const [{ group }] = useAddress(readCatalogue)
  const [minutes, setMinutes] = useState<number | string | null>(null)
  const [users, setUsers] = useState<number[]>([])
  const isWrong =
    minutes !== null &&
    !(typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 1 && minutes <= MAX_MINUTES)
  const parts: FormParts = {
    dirty: minutes !== null || users.length > 0,
    wait: isWrong ? `Длительность — целое число минут от 1 до ${MAX_MINUTES}` : undefined,
    async save(idService) {
      // Skips the parts saved by an earlier failed attempt.
      if (typeof minutes === 'number') {
        await records.create(ServiceDuration, { idService, minutes })
        setMinutes(null)
      }
      if (users.length) {
        await records.batch(ServicePerformer, { create: users.map((idUser) => ({ idService, idUser })) })
        setUsers([])
      }
      // Clears unsaved state before leaving the page.
      flushSync(() => {
        setMinutes(null)
        setUsers([])
      })
      for (const { path } of [ServiceDuration, ServicePerformer, Service]) await invalidateRecords(cache, path)
    },
    discard() {
      setMinutes(null)
      setUsers([])
    },
  }
  return (
    <Dialog opened onClose={onClose} title="Новая услуга" size="lg">
      <RecordForm
        entity={Service}
        initial={typeof group === 'number' ? { idGroup: group } : undefined}
        parts={parts}
        onCancel={onClose}
        onSaved={({ id }) => onMade(id)}
      >
        <RecordFields names={names} autoFocus />
        <Performing>
          <NumberField
            label="Длительность, мин"
            description="Сколько занимает визит"
            value={minutes}
            error={isWrong ? parts.wait : undefined}
            onChange={setMinutes}
          />
          <RefMultiSelect
            to="users"
            label="Кто оказывает"
            description="Пусто — врачи специальностей группы"
            value={users}
            onChange={setUsers}
          />
        </Performing>
      </RecordForm>
    </Dialog>
  )
}

/** Only for services: products have no performers. */
function Performing({ children }: { children: React.ReactNode }) {
  const { control } = useFormContext()
  const category = useWatch({ control, name: 'serviceCategory' })
  return (
    Number(category ?? SERVICE) === SERVICE && (
      <Tiles tile={240} fit gap={16}>
        {children}
      </Tiles>
    )
  )
}
