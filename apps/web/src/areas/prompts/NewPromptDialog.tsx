import { TextInput } from '@mantine/core'
import { Prompt, type PromptKind } from '@ordinator/model/areas/prompts/prompt'
import { useQueryClient } from '@tanstack/react-query'
import { recordsWith } from '#base/client.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'

const beginnings: Record<PromptKind, string> = {
  call: 'Разбери разговор администратора клиники с пациентом. Вид звонка: {{вид}}. Сейчас: {{сейчас}}\n\n{{разговор}}',
  protocol:
    'По словам, сказанным на приёме, заполни поля осмотра «{{шаблон}}». Пациент: пол {{пол}}, полных лет {{возраст}}.\n\n{{разговор}}',
}

const asked = recordsWith({ forbidden: 'silent' })

interface Props {
  kind: PromptKind
  onClose: () => void
  onMade: (id: number) => void
}

/** New prompt with a working default text, edited on its page. */
export function NewPromptDialog({ kind, onClose, onMade }: Props) {
  const cache = useQueryClient()
  return (
    <FormDialog
      title={kind === 'call' ? 'Новая подсказка для звонков' : 'Новая подсказка для протоколов'}
      action="Создать"
      draft={{ name: '' }}
      required={{ name: 'Как она называется?' }}
      send={({ name }) => asked.create(Prompt, { name, kind, text: beginnings[kind] })}
      done={async ({ id }) => {
        await invalidateRecords(cache, Prompt.path)
        onMade(id)
      }}
      onClose={onClose}
    >
      {({ text }) => (
        <VStack gap={12}>
          <TextInput label="Название" required maxLength={200} data-autofocus {...text('name')} />
          <Muted>Начальный текст уже есть: его меняют, пробуют на примере и сравнивают по версиям.</Muted>
        </VStack>
      )}
    </FormDialog>
  )
}
