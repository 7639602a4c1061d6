import { Select, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Leaving as Answer } from '@ordinator/model/areas/prompts/calls'
import { MAX_INPUT } from '@ordinator/model/areas/prompts/prompt'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { Leaving } from './Leaving.tsx'

interface Props {
  title: string
  prompts: readonly { id: number; name: string; isDefault: boolean }[]
  /** The conversation is typed or pasted; absent: known. */
  asksTalk?: boolean
  preview: (idPrompt: number, talk: string) => Promise<Answer>
  run: (idPrompt: number, talk: string) => Promise<unknown>
  onClose: () => void
}

/** Chooses a prompt, and shows the data to be sent first. */
export function AskDialog({ title, prompts, asksTalk, preview, run, onClose }: Props) {
  const [id, setId] = useState(() => (prompts.find(({ isDefault }) => isDefault) ?? prompts[0])?.id)
  const [talk, setTalk] = useState('')
  const [settled] = useDebouncedValue(talk, 600)
  const isReady = id !== undefined && (!asksTalk || settled.trim() !== '')
  const leaving = useQuery({
    queryKey: ['prompts', 'leaving', title, id, settled],
    queryFn: () => preview(id as number, settled),
    enabled: isReady,
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
    meta: { reportsFailure: true },
  })
  return (
    <ActionDialog
      title={title}
      size="xl"
      action="Спросить нейросеть"
      disabled={!isReady || !leaving.data?.isReady || leaving.isError}
      run={() => run(id as number, talk)}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {prompts.length > 1 && (
            <Select
              label="Подсказка"
              allowDeselect={false}
              data={prompts.map(({ id: value, name }) => ({ value: String(value), label: name }))}
              value={id === undefined ? null : String(id)}
              onChange={(value) => setId(Number(value))}
            />
          )}
          {asksTalk && (
            <Textarea
              label="Что было сказано на приёме"
              description="Расшифровка, надиктованный или вставленный текст"
              autosize
              minRows={5}
              maxRows={12}
              maxLength={MAX_INPUT}
              value={talk}
              onChange={(event) => setTalk(event.currentTarget.value)}
              error={errorOf('talk')}
              data-autofocus
            />
          )}
          {!isReady ? (
            <Muted>Здесь будет видно, что уйдёт в нейросеть: без имён, телефонов и номеров документов.</Muted>
          ) : leaving.isError ? (
            <ErrorState error={leaving.error} onRetry={() => void leaving.refetch()} />
          ) : leaving.data ? (
            <Leaving leaving={leaving.data} />
          ) : (
            <LinesSkeleton lines={6} />
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}
