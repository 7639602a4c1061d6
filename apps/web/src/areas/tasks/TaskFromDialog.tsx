import { TextInput } from '@mantine/core'
import { Board } from '@ordinator/model/areas/tasks/board'
import { FormDialog } from '#kit/FormDialog.tsx'
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
export const TaskFromDialog = ({ title, name, note, make, onClose }: Props) => (
  <FormDialog
    title={title}
    action="Создать задачу"
    draft={{ name, idBoard: null as number | null }}
    required={{ name: 'Введите название', idBoard: 'Выберите пространство' }}
    send={make}
    done={() => void notify.success('Задача создана')}
    onClose={onClose}
  >
    {({ text, value }) => (
      <VStack gap={12}>
        <TextInput label="Задача" withAsterisk data-autofocus maxLength={255} {...text('name')} />
        <RefSelect to={Board.path} label="Пространство" required {...value('idBoard')} />
        <Fine>{note}</Fine>
      </VStack>
    )}
  </FormDialog>
)
