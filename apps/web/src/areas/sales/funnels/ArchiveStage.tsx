import { Select, Text } from '@mantine/core'
import { Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { notifyBoardFailure } from '#records/board/cardStore.ts'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import type { StageRow } from '../board/deals.ts'

interface Props {
  stage: StageRow
  stages: readonly StageRow[]
  onClose: () => void
}

/** Archives a stage after moving its deals. */
export function ArchiveStage({ stage, stages, onClose }: Props) {
  const others = stages.filter(({ id }) => id !== stage.id)
  const [target, setTarget] = useState<string | null>(others[0] ? String(others[0].id) : null)
  const client = useQueryClient()
  const inside = useList(
    Lead,
    { filter: { idStage: stage.id }, limit: 1, count: 'exact', fields: ['idStage'] },
    { staleTime: 0 },
  )
  const count = inside.data?._meta.totalCount
  const settle = async () => {
    await Promise.all([invalidateRecords(client, Stage.path), invalidateRecords(client, Lead.path)])
  }
  const run = async () => {
    await api(
      'POST /sales-management/stages/:id/archive',
      { params: { id: stage.id }, body: count ? { idStage: Number(target) } : {} },
      { forbidden: 'toast' },
    )
    await settle()
    notify.undo(`Этап «${stage.name}» убран`, async () => {
      await api(
        'POST /sales-management/stages/:id/bring-back',
        { params: { id: stage.id }, body: {} },
        { forbidden: 'toast' },
      ).catch(notifyBoardFailure)
      await settle()
    })
  }
  return (
    <ActionDialog
      title={`Убрать этап «${stage.name}»?`}
      size={440}
      action="Убрать этап"
      danger
      disabled={count === undefined || (count > 0 && target === null)}
      run={run}
      onClose={onClose}
    >
      {count === undefined ? (
        <Text c="dimmed">Считаем сделки…</Text>
      ) : count === 0 ? (
        <Text>На этапе нет сделок.</Text>
      ) : (
        <Select
          label={`${counted(count, ['сделка перейдёт', 'сделки перейдут', 'сделок перейдут'])} на этап`}
          data={others.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={target}
          onChange={setTarget}
        />
      )}
    </ActionDialog>
  )
}
