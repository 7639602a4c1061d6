import { Select, TextInput } from '@mantine/core'
import { destructionGrounds } from '@ordinator/model/areas/warehouse/mdlp'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
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

/** Transfer of written-off packs for destruction (541): organization and act. */
export function DestructionDialog({ id, onMade, onClose }: Props) {
  const [idOrganization, setOrganization] = useState<number | null>(null)
  const [fias, setFias] = useState('')
  const [actNumber, setNumber] = useState('')
  const [actDate, setDate] = useState<string | null>(today())
  const [ground, setGround] = useState<Ground>('1')
  return (
    <ActionDialog
      title="Передать на уничтожение"
      action="Составить документ 541"
      faults={{
        'destruction.idOrganization': idOrganization === null && 'Выберите организацию',
        'destruction.fias': fias.trim() === '' && 'Обязательное поле',
        'destruction.actNumber': actNumber.trim() === '' && 'Обязательное поле',
        'destruction.actDate': actDate === null && 'Обязательное поле',
      }}
      run={async () => {
        const made = await api('POST /warehouse/documents/:id/mdlp', {
          params: { id },
          body: {
            destruction: {
              idOrganization: idOrganization as number,
              fias: fias.trim(),
              actNumber,
              actDate: actDate as string,
              ground,
            },
          },
        })
        onMade(made.id)
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <RefSelect
            to="organizations"
            label="Кто уничтожает"
            description="Организация с ИНН и КПП"
            required
            value={idOrganization}
            onChange={setOrganization}
            error={errorOf('destruction.idOrganization')}
          />
          <TextInput
            label="Адрес уничтожения, код ФИАС"
            placeholder="00000000-0000-0000-0000-000000000000"
            required
            value={fias}
            onChange={(event) => setFias(event.currentTarget.value)}
            error={errorOf('destruction.fias')}
          />
          <TextInput
            label="Номер акта"
            required
            value={actNumber}
            onChange={(event) => setNumber(event.currentTarget.value)}
            error={errorOf('destruction.actNumber')}
          />
          <DateField
            label="Дата акта"
            required
            value={actDate}
            onChange={setDate}
            error={errorOf('destruction.actDate')}
          />
          <Select
            label="Основание"
            data={grounds}
            value={ground}
            onChange={(value) => value && setGround(value as Ground)}
            allowDeselect={false}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}
