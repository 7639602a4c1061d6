import { Select, TextInput } from '@mantine/core'
import { destructionGrounds } from '@ordinator/model/areas/warehouse/mdlp'
import { messages } from '@ordinator/model/messages'
import { api } from '#base/api.ts'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'

type Ground = `${keyof typeof destructionGrounds}`
const grounds = Object.entries(destructionGrounds).map(([value, label]) => ({ value, label }))

interface Props {
  /** The write-off whose packs are transferred. */
  id: number
  onMade: (idDocument: number) => void
  onClose: () => void
}

const draft = () => ({
  idOrganization: null as number | null,
  fias: '',
  actNumber: '',
  actDate: today() as string | null,
  ground: '1' as Ground,
})

/** Names of the fields in the body. */
const names = {
  idOrganization: 'destruction.idOrganization',
  fias: 'destruction.fias',
  actNumber: 'destruction.actNumber',
  actDate: 'destruction.actDate',
}

/** Transfer of written-off packs for destruction (541): organization and act. */
export const DestructionDialog = ({ id, onMade, onClose }: Props) => (
  <FormDialog
    title="Передать на уничтожение"
    action="Составить документ 541"
    draft={draft()}
    names={names}
    required={{
      idOrganization: 'Выберите организацию',
      fias: messages.required,
      actNumber: messages.required,
      actDate: messages.required,
    }}
    send={(destruction) => api('POST /warehouse/documents/:id/mdlp', { params: { id }, body: { destruction } })}
    done={(made) => onMade(made.id)}
    onClose={onClose}
  >
    {({ text, value, choice }) => (
      <VStack gap={12}>
        <RefSelect
          to="organizations"
          label="Кто уничтожает"
          description="Организация с ИНН и КПП"
          required
          {...value('idOrganization')}
        />
        <TextInput
          label="Адрес уничтожения, код ФИАС"
          placeholder="00000000-0000-0000-0000-000000000000"
          required
          {...text('fias')}
        />
        <TextInput label="Номер акта" required {...text('actNumber')} />
        <DateField label="Дата акта" required {...value('actDate')} />
        <Select label="Основание" data={grounds} allowDeselect={false} {...choice('ground')} />
      </VStack>
    )}
  </FormDialog>
)
