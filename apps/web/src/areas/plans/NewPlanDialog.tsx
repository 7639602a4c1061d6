import { TextInput } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { PlanStage, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { User } from '@ordinator/model/areas/staff/user'
import { messages } from '@ordinator/model/messages'
import { useQueryClient } from '@tanstack/react-query'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
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
  // Preselects the user as doctor, unless the user manages all plans.
  const idDoctor = holds(actor, 'viewCustomerPlansReport') ? null : (actor.id ?? null)
  return (
    <FormDialog
      title="Новый план лечения"
      action="Составить"
      draft={{ name: '', idDoctor, idFilial: null as number | null, diagnosis: '' }}
      required={{ name: messages.required, idDoctor: messages.required }}
      send={async ({ diagnosis, ...plan }) => {
        const made = await asked.create(TreatmentPlan, { ...plan, idCustomer, diagnosis: diagnosis || null })
        // Every plan has a first stage, filled next.
        await asked.create(PlanStage, { idPlan: made.id, name: 'Этап 1' })
        return made
      }}
      done={async (made) => {
        await invalidateRecords(cache, TreatmentPlan.path)
        onMade(made.id)
      }}
      onClose={onClose}
    >
      {({ text, value }) => (
        <VStack gap={12}>
          <TextInput
            label="Название"
            required
            data-autofocus
            maxLength={255}
            placeholder="Восстановление спины"
            {...text('name')}
          />
          <RefSelect to={User.path} label="Врач" required {...value('idDoctor')} />
          <RefSelect to={Filial.path} label="Филиал" placeholder="Цены общего прайс-листа" {...value('idFilial')} />
          <TextInput label="Диагноз" maxLength={500} {...text('diagnosis')} />
        </VStack>
      )}
    </FormDialog>
  )
}
