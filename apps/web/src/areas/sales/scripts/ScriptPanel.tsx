import { Select, Text } from '@mantine/core'
import { FunnelScript } from '@ordinator/model/areas/sales/funnel'
import { useState } from 'react'
import { ScriptWalk } from '#areas/scripts/index.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { useList } from '#records/reads.ts'

/** Scripts of a funnel, step by step. */
export function ScriptPanel({ idFunnel }: { idFunnel: number }) {
  const [chosen, setChosen] = useState<number>()
  const list = useList(
    FunnelScript,
    { filter: { idFunnel }, expand: ['script'], sort: 'order', limit: 100 },
    { forbidden: 'silent' },
  )
  if (list.isPending) return <LinesSkeleton lines={5} />
  if (list.isError)
    return <ErrorState title="Скрипты не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  const scripts = list.data.items.flatMap(({ script }) => (script?.active ? [script] : []))
  const script = scripts.find(({ id }) => id === chosen) ?? scripts[0]
  if (!script) return <Text c="dimmed">У воронки нет скриптов. Их прикрепляют на странице воронки.</Text>
  return (
    <VStack gap={12}>
      <Select
        label="Скрипт"
        data={scripts.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(script.id)}
        onChange={(value) => setChosen(Number(value))}
      />
      <ScriptWalk key={script.id} script={script} />
    </VStack>
  )
}
