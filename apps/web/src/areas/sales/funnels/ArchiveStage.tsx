import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { http } from '../../../base/http.ts'
import { notify } from '../../../kit/notify.tsx'
import { refused } from '../../../records/board/cardStore.ts'
import { invalidateRecords } from '../../../records/keys.ts'
import { useList } from '../../../records/reads.ts'
import type { StageRow } from '../board/deals.ts'

interface Props {
  stage: StageRow
  stages: readonly StageRow[]
  onClose: () => void
}

/** Takes a stage away; its deals go to another one first. */
export function ArchiveStage({ stage, stages, onClose }: Props) {
  const others = stages.filter(({ id }) => id !== stage.id)
  const [target, setTarget] = useState<string | null>(others[0] ? String(others[0].id) : null)
  const [busy, setBusy] = useState(false)
  const client = useQueryClient()
  const inside = useList(
    Lead,
    { filter: { idStage: stage.id }, limit: 1, count: true, fields: ['idStage'] },
    { staleTime: 0 },
  )
  const count = inside.data?._meta.totalCount
  const settle = async () => {
    await Promise.all([invalidateRecords(client, Stage.path), invalidateRecords(client, Lead.path)])
  }
  const run = async () => {
    setBusy(true)
    try {
      await http.post(`/${Stage.path}/${stage.id}/archive`, count ? { idStage: Number(target) } : {}, {
        forbidden: 'toast',
      })
      await settle()
      onClose()
      notify.undo(`Этап «${stage.name}» убран`, async () => {
        await http.post(`/${Stage.path}/${stage.id}/bring-back`, {}, { forbidden: 'toast' }).catch(refused)
        await settle()
      })
    } catch (error) {
      refused(error)
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={`Убрать этап «${stage.name}»?`} size={440}>
      <Stack>
        {count === undefined ? (
          <Text c="dimmed">Считаем сделки…</Text>
        ) : count === 0 ? (
          <Text>На этапе нет сделок.</Text>
        ) : (
          <Select
            label={`${counted(count, ['сделка перейдёт', 'сделки перейдут', 'сделок перейдут'])} на этап`}
            allowDeselect={false}
            data={others.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={target}
            onChange={setTarget}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Отмена
          </Button>
          <Button
            color="red"
            loading={busy}
            disabled={count === undefined || (count > 0 && target === null)}
            onClick={() => void run()}
          >
            Убрать этап
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
