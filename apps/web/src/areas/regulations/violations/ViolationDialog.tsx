import { Select, Textarea } from '@mantine/core'
import { Violation, type ViolationLevel, violationLevels } from '@ordinator/model/areas/regulations/run'
import type { RegulationPerson, RegulationView } from '@ordinator/model/areas/regulations/wire'
import { messages } from '@ordinator/model/messages'
import { FormDialog } from '#kit/FormDialog.tsx'
import { useSave } from '#records/writes.ts'
import { UserField } from '../editor/UserFields.tsx'
import { toastDone } from '../toasts.ts'

const MAX_WORDS = 2000

/** Reports a violation: person, step, level. */
export function ViolationDialog({ view, onClose }: { view: RegulationView; onClose: () => void }) {
  const save = useSave(Violation, { toast: false })
  return (
    <FormDialog
      title="Отметить нарушение"
      size={520}
      action="Отметить"
      draft={{
        user: null as RegulationPerson | null,
        step: null as string | null,
        level: 'medium' as ViolationLevel,
        description: '',
      }}
      names={{ user: 'idUser' }}
      required={{ user: messages.required, description: messages.required }}
      send={({ user, step, ...fields }) =>
        save.mutateAsync({ idRegulation: view.id, idStep: step ? Number(step) : null, idUser: user.id, ...fields })
      }
      done={() => toastDone('Нарушение отмечено')}
      onClose={onClose}
    >
      {({ draft: { step }, text, value, choice, set }) => (
        <>
          <UserField label="Сотрудник" {...value('user')} />
          <Select
            label="Шаг"
            placeholder="Регламент в целом"
            clearable
            searchable
            data={view.stages.map(({ id, title }, at) => ({ value: String(id), label: `${at + 1}. ${title}` }))}
            value={step}
            onChange={(chosen) => set({ step: chosen })}
          />
          <Select
            label="Тяжесть"
            data={Object.entries(violationLevels).map(([value, label]) => ({ value, label }))}
            {...choice('level')}
          />
          <Textarea
            label="Что нарушено"
            required
            autosize
            minRows={2}
            maxRows={8}
            maxLength={MAX_WORDS}
            {...text('description')}
          />
        </>
      )}
    </FormDialog>
  )
}
