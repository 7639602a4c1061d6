import { Button, Group, Modal, Select, Stack, Textarea } from '@mantine/core'
import { Violation, type ViolationLevel, violationLevels } from '@ordinator/model/areas/regulations/run'
import type { RegulationPerson, RegulationView } from '@ordinator/model/areas/regulations/wire'
import { useState } from 'react'
import { useOwnEscape } from '../../../kit/useOwnEscape.ts'
import { useReturnFocus } from '../../../kit/useReturnFocus.ts'
import { useSave } from '../../../records/writes.ts'
import { UserField } from '../editor/UserFields.tsx'
import { toastDone } from '../toasts.ts'

const MAX_WORDS = 2000

/** A violation noted by hand: whose, of which step, how grave. */
export function ViolationDialog({ view, onClose }: { view: RegulationView; onClose: () => void }) {
  useReturnFocus()
  const [user, setUser] = useState<RegulationPerson | null>(null)
  const [step, setStep] = useState<string | null>(null)
  const [level, setLevel] = useState<ViolationLevel>('medium')
  const [description, setDescription] = useState('')
  const [asked, setAsked] = useState(false)
  const save = useSave(Violation)
  useOwnEscape(onClose, 'violation')
  const words = description.trim()
  const send = () => {
    setAsked(true)
    if (!user || !words) return
    save.mutate(
      { idRegulation: view.id, idStep: step ? Number(step) : null, idUser: user.id, level, description: words },
      {
        onSuccess: () => {
          toastDone('Нарушение отмечено')
          onClose()
        },
      },
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      title="Отметить нарушение"
      size={520}
      zIndex={300}
      attributes={{ content: { 'data-own-escape': 'violation' } }}
    >
      <Stack gap={12}>
        <UserField
          label="Сотрудник"
          value={user}
          onChange={setUser}
          error={asked && !user ? 'Обязательное поле' : undefined}
        />
        <Select
          label="Шаг"
          placeholder="Регламент в целом"
          clearable
          searchable
          data={view.stages.map(({ id, title }, at) => ({ value: String(id), label: `${at + 1}. ${title}` }))}
          comboboxProps={{ zIndex: 310 }}
          value={step}
          onChange={setStep}
        />
        <Select
          label="Тяжесть"
          allowDeselect={false}
          data={Object.entries(violationLevels).map(([value, label]) => ({ value, label }))}
          comboboxProps={{ zIndex: 310 }}
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
          error={asked && !words ? 'Обязательное поле' : undefined}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </Stack>
      <Group justify="flex-end" mt="md" gap={8}>
        <Button variant="default" onClick={onClose}>
          Отмена
        </Button>
        <Button loading={save.isPending} onClick={send}>
          Отметить
        </Button>
      </Group>
    </Modal>
  )
}
