import { TextInput } from '@mantine/core'
import { Board } from '@ordinator/model/areas/tasks/board'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'

interface Props {
  title: string
  /** Default name. */
  name: string
  /** Note about further effects. */
  note: string
  make: (task: { name: string; idBoard: number }) => Promise<unknown>
  onClose: () => void
}

/** Creates a task from another record: an appeal, a dialogue. */
export function TaskFromDialog({ title, note, make, onClose, ...given }: Props) {
  const [name, setName] = useState(given.name)
  const [idBoard, setIdBoard] = useState<number | null>(null)
  const run = async () => {
    await make({ name: name.trim(), idBoard: idBoard ?? 0 })
    notify.success('Задача создана')
  }
  return (
    <ActionDialog
      title={title}
      action="Создать задачу"
      run={run}
      onClose={onClose}
      faults={{ name: !name.trim() && 'Введите название', idBoard: idBoard === null && 'Выберите пространство' }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <TextInput
            label="Задача"
            withAsterisk
            data-autofocus
            maxLength={255}
            value={name}
            error={errorOf('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <RefSelect
            to={Board.path}
            label="Пространство"
            required
            value={idBoard}
            error={errorOf('idBoard')}
            onChange={setIdBoard}
          />
          <Fine>{note}</Fine>
        </VStack>
      )}
    </ActionDialog>
  )
}
