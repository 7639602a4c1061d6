import { can } from '@ordinator/model/access'
import { Examination } from '@ordinator/model/areas/examinations/examination'
import { ExaminationTemplate } from '@ordinator/model/areas/examinations/template'
import { messages } from '@ordinator/model/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { searchCustomers } from '#areas/customers/index.ts'
import { recordsWith } from '#base/client.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { LateSelect } from '#kit/LateSelect.tsx'
import type { AjaxOption } from '#kit/useAjaxOptions.ts'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'

interface Props {
  /** Preset, when opened from a card or a visit. */
  idCustomer?: number
  idAppointment?: number
  onMade: (id: number) => void
  onClose: () => void
}

const asked = recordsWith({ forbidden: 'toast' })
/** Page limit of the records engine; a clinic has a few dozen. */
const MAX = 500

/** New examination: patient and template, own templates first. */
export function NewExaminationDialog({ idCustomer, idAppointment, onMade, onClose }: Props) {
  const cache = useQueryClient()
  const actor = useActor()
  const [customer, setCustomer] = useState<AjaxOption | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const templates = useList(
    ExaminationTemplate,
    { filter: { active: true }, fields: ['id', 'name', 'idUser'], limit: MAX },
    { forbidden: 'silent' },
  )
  const all = templates.data?.items ?? []
  const option = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name })
  const [own, others] = [
    all.filter(({ idUser }) => idUser === actor.id),
    all.filter(({ idUser }) => idUser !== actor.id),
  ]
  const groups =
    own.length && others.length
      ? [
          { group: 'Мои', items: own.map(option) },
          { group: 'Общие', items: others.map(option) },
        ]
      : all.map(option)
  // Preselects the doctor's last template, as most use one.
  const last = useList(
    Examination,
    { filter: { idUser: actor.id }, fields: ['idTemplate'], sort: '-id', limit: 1 },
    { forbidden: 'silent' },
  ).data?.items[0]?.idTemplate
  const usual = all.length === 1 ? all[0] : all.find(({ id }) => id === last)
  const idTemplate = chosen ?? (usual ? String(usual.id) : null)
  const who = idCustomer ?? customer?.value
  return (
    <ActionDialog
      title="Новый осмотр"
      action="Начать"
      faults={{ idCustomer: !who && messages.required, idTemplate: !idTemplate && messages.required }}
      run={async () => {
        const made = await asked.create(Examination, {
          idCustomer: who as number,
          idTemplate: Number(idTemplate),
          ...(idAppointment !== undefined && { idAppointment }),
        })
        await invalidateRecords(cache, Examination.path)
        onMade(made.id)
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {idCustomer === undefined && (
            <AjaxSelect
              label="Клиент"
              required
              load={searchCustomers}
              value={customer}
              onChange={setCustomer}
              error={errorOf('idCustomer')}
              placeholder="Фамилия или телефон"
            />
          )}
          <LateSelect
            label="Шаблон"
            required
            pending={templates.isPending}
            data={groups}
            value={idTemplate || null}
            onChange={setChosen}
            // A preselection that loads later must not replace typed text.
            onInput={() => setChosen(idTemplate ?? '')}
            error={errorOf('idTemplate')}
          />
          {templates.isSuccess && all.length === 0 && (
            <Fine>
              Действующих шаблонов нет.{' '}
              {can(actor, 'create', ExaminationTemplate) ? (
                <PageLink page="examinationTemplates">Составить первый</PageLink>
              ) : (
                'Их составляет тот, у кого есть право «Шаблоны осмотров».'
              )}
            </Fine>
          )}
        </>
      )}
    </ActionDialog>
  )
}
