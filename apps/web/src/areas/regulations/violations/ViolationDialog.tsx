import { Select, Textarea } from '@mantine/core'
import { Violation, type ViolationLevel, violationLevels } from '@ordinator/model/areas/regulations/run'
import type { RegulationPerson, RegulationView } from '@ordinator/model/areas/regulations/wire'
import { messages } from '@ordinator/model/messages'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { useSave } from '#records/writes.ts'
import { UserField } from '../editor/UserFields.tsx'
import { toastDone } from '../toasts.ts'

const MAX_WORDS = 2000

/** Reports a violation: person, step, level. */
export function ViolationDialog({ view, onClose }: { view: RegulationView; onClose: () => void }) {
  const [user, setUser] = useState<RegulationPerson | null>(null)
  const [step, setStep] = useState<string | null>(null)
  const [level, setLevel] = useState<ViolationLevel>('medium')
  const [description, setDescription] = useState('')
  const save = useSave(Violation, { toast: false })
  const words = description.trim()
  return (
    <ActionDialog
      title="Отметить нарушение"
      size={520}
      action="Отметить"
      faults={{ idUser: !user && messages.required, description: !words && messages.required }}
      run={async () => {
        if (!user) return
        const idStep = step ? Number(step) : null
        await save.mutateAsync({ idRegulation: view.id, idStep, idUser: user.id, level, description: words })
        toastDone('Нарушение отмечено')
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <UserField label="Сотрудник" value={user} onChange={setUser} error={errorOf('idUser')} />
          <Select
            label="Шаг"
            placeholder="Регламент в целом"
            clearable
            searchable
            data={view.stages.map(({ id, title }, at) => ({ value: String(id), label: `${at + 1}. ${title}` }))}
            value={step}
            onChange={setStep}
          />
          <Select
            label="Тяжесть"
            data={Object.entries(violationLevels).map(([value, label]) => ({ value, label }))}
            value={level}
            onChange={(value) => setLevel(value as ViolationLevel)}
          />
          <Textarea
            label="Что нарушено"
            required
            autosize
            minRows={2}
            maxRows={8}
            maxLength={MAX_WORDS}
            error={errorOf('description')}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
        </>
      )}
    </ActionDialog>
  )
}
