import { Box, Title } from '@mantine/core'
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { RegulationRun } from '@ordinator/model/areas/regulations/run'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { part } from '#kit/chunk.ts'
import { HStack } from '#kit/Stacks.tsx'
import { AJAX_LIMIT, type AjaxLoad } from '#kit/useAjaxOptions.ts'
import { useSave } from '#records/writes.ts'
import { useRuns } from './calls.ts'
import { RunLines } from './RunLines.tsx'

const RunDialog = part(() => import('./RunDialog.tsx'))

/** Runs of a task, with a button to start one. */
export function TaskRegulations({ card: { idTask }, mayEdit }: { card: { idTask: number }; mayEdit: boolean }) {
  const list = useRuns({ idTask })
  const save = useSave(RegulationRun)
  const [choosing, setChoosing] = useState(false)
  const [open, setOpen] = useState<number>()
  const runs = list.data?.items ?? []
  if (runs.length === 0 && !mayEdit) return null
  const begin = (idRegulation: number) => {
    setChoosing(false)
    save.mutate({ idRegulation, idTask }, { onSuccess: ({ id }) => setOpen(id) })
  }
  return (
    <Box component="section" mt={20} aria-label="Регламенты">
      <HStack gap={6} justify="space-between" mih={32}>
        <Title order={3} fw={500}>
          Регламенты
        </Title>
        <ActionButton
          label="Выполнить"
          size="compact-sm"
          variant="subtle"
          color="gray"
          icon={IconPlayerPlay}
          aria-expanded={choosing}
          loading={save.isPending}
          onClick={() => setChoosing(!choosing)}
        />
      </HStack>
      {choosing && (
        <AjaxSelect
          size="xs"
          aria-label="Какой регламент выполнить"
          placeholder="Действующий регламент"
          from={0}
          load={searchActive}
          value={null}
          onChange={(option) => option && begin(option.value)}
        />
      )}
      {runs.length > 0 && <RunLines runs={runs} named onOpen={setOpen} />}
      {open !== undefined && <RunDialog id={open} onClose={() => setOpen(undefined)} />}
    </Box>
  )
}

const searchActive: AjaxLoad = async (text, signal) => {
  const { items } = await recordsWith({ forbidden: 'silent', quiet: true }).list(
    Regulation,
    {
      filter: { status: 'active', ...(text && { name: { ilike: text } }) },
      fields: ['name'],
      sort: 'name',
      limit: AJAX_LIMIT,
    },
    { signal },
  )
  return items.map(({ id, name }) => ({ value: id, label: name }))
}
