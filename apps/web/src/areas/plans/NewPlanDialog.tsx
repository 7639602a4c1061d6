import { TextInput } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { PlanStage, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { User } from '@ordinator/model/areas/staff/user'
import { messages } from '@ordinator/model/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'

const asked = recordsWith({ forbidden: 'toast' })

interface Props {
  idCustomer: number
  onMade: (id: number) => void
  onClose: () => void
}

/** New plan of a patient: title and doctor; the rest follows on its page. */
export function NewPlanDialog({ idCustomer, onMade, onClose }: Props) {
  const cache = useQueryClient()
  const actor = useActor()
  const [name, setName] = useState('')
  // Preselects the user as doctor, unless the user manages all plans.
  const [idDoctor, setDoctor] = useState<number | null>(
    holds(actor, 'viewCustomerPlansReport') ? null : (actor.id ?? null),
  )
  const [idFilial, setFilial] = useState<number | null>(null)
  const [diagnosis, setDiagnosis] = useState('')
  return (
    <ActionDialog
      title="Новый план лечения"
      action="Составить"
      faults={{ name: !name.trim() && messages.required, idDoctor: !idDoctor && messages.required }}
      onClose={onClose}
      run={async () => {
        const made = await asked.create(TreatmentPlan, {
          name,
          idCustomer,
          idDoctor: idDoctor as number,
          idFilial,
          diagnosis: diagnosis || null,
        })
        // Every plan has a first stage, filled next.
        await asked.create(PlanStage, { idPlan: made.id, name: 'Этап 1' })
        await invalidateRecords(cache, TreatmentPlan.path)
        onMade(made.id)
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <TextInput
            label="Название"
            required
            data-autofocus
            maxLength={255}
            placeholder="Восстановление спины"
            value={name}
            error={errorOf('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <RefSelect
            to={User.path}
            label="Врач"
            required
            value={idDoctor}
            error={errorOf('idDoctor')}
            onChange={setDoctor}
          />
          <RefSelect
            to={Filial.path}
            label="Филиал"
            placeholder="Цены общего прайс-листа"
            value={idFilial}
            error={errorOf('idFilial')}
            onChange={setFilial}
          />
          <TextInput
            label="Диагноз"
            maxLength={500}
            value={diagnosis}
            error={errorOf('diagnosis')}
            onChange={(event) => setDiagnosis(event.currentTarget.value)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}
