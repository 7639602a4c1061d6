import { TextInput } from '@mantine/core'
import { Prompt, type PromptKind } from '@ordinator/model/areas/prompts/prompt'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'

const beginnings: Record<PromptKind, string> = {
  call: 'Разбери разговор администратора клиники с пациентом. Вид звонка: {{вид}}. Сейчас: {{сейчас}}\n\n{{разговор}}',
  protocol:
    'По словам, сказанным на приёме, заполни поля осмотра «{{шаблон}}». Пациент: пол {{пол}}, полных лет {{возраст}}.\n\n{{разговор}}',
}

interface Props {
  kind: PromptKind
  onClose: () => void
  onMade: (id: number) => void
}

/** New prompt with a working default text, edited on its page. */
export function NewPromptDialog({ kind, onClose, onMade }: Props) {
  const cache = useQueryClient()
  const [name, setName] = useState('')
  return (
    <ActionDialog
      title={kind === 'call' ? 'Новая подсказка для звонков' : 'Новая подсказка для протоколов'}
      action="Создать"
      faults={{ name: name.trim() === '' && 'Как она называется?' }}
      run={async () => {
        const made = await recordsWith({ forbidden: 'silent' }).create(Prompt, {
          name: name.trim(),
          kind,
          text: beginnings[kind],
        })
        await invalidateRecords(cache, Prompt.path)
        onMade(made.id)
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <TextInput
            label="Название"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errorOf('name')}
            data-autofocus
          />
          <Muted>Начальный текст уже есть: его меняют, пробуют на примере и сравнивают по версиям.</Muted>
        </VStack>
      )}
    </ActionDialog>
  )
}
