import { Alert, Loader } from '@mantine/core'
import { isUnderWay, PromptRun, runStatuses } from '@ordinator/model/areas/prompts/prompt'
import type { Row } from '@ordinator/model/entity'
import { formatNumber } from '@ordinator/model/format'
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useSave } from '#records/writes.ts'

export type Run = Row<typeof PromptRun>

/** State of a pending or failed run, and the remark on a finished one. */
export function RunState({ run }: { run: Run }) {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  if (run.status === 'done')
    return run.error ? (
      <Alert color="yellow" variant="light" role="alert" title="Проверьте ответ">
        {run.error}
      </Alert>
    ) : null
  if (!isUnderWay(run.status))
    return (
      <Alert
        color={run.status === 'cancelled' ? 'gray' : 'yellow'}
        variant="light"
        role="alert"
        title={runStatuses[run.status]}
      >
        {run.error ? `${run.error}. ` : ''}Ничего не изменилось: можно спросить снова.
      </Alert>
    )
  const cancel = async () => {
    setBusy(true)
    try {
      await api('POST /prompts/runs/:id/cancel', { params: { id: run.id } })
      await invalidateRecords(cache, PromptRun.path)
    } catch (error) {
      notify.error(errorMessage(error))
    }
    setBusy(false)
  }
  return (
    <HStack role="status" wrap>
      <Loader size="xs" aria-hidden />
      <span>{runStatuses[run.status]}…</span>
      <ActionButton
        label="Отменить"
        reverse
        size="compact-sm"
        variant="default"
        loading={busy}
        onClick={() => void cancel()}
      />
    </HStack>
  )
}

/** Duration and cost of a finished run, with a rating. */
export function RunFoot({ run, mayRate = true }: { run: Run; mayRate?: boolean }) {
  const save = useSave(PromptRun)
  const rate = (rating: 'good' | 'bad') => save.mutate({ id: run.id, rating: run.rating === rating ? null : rating })
  return (
    <HStack wrap gap={6}>
      <Fine>
        {[
          run.place,
          run.ms !== null && `${formatNumber(run.ms / 1000, 1)} с`,
          run.tokensIn !== null && `${formatNumber((run.tokensIn ?? 0) + (run.tokensOut ?? 0))} токенов`,
          run.cost !== null && `${formatNumber(run.cost, 2)} ₽`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Fine>
      {mayRate && (
        <>
          <IconButton
            icon={IconThumbUp}
            label="Хороший ответ"
            aria-pressed={run.rating === 'good'}
            variant={run.rating === 'good' ? 'filled' : 'subtle'}
            onClick={() => rate('good')}
          />
          <IconButton
            icon={IconThumbDown}
            label="Плохой ответ"
            aria-pressed={run.rating === 'bad'}
            variant={run.rating === 'bad' ? 'filled' : 'subtle'}
            onClick={() => rate('bad')}
          />
        </>
      )}
    </HStack>
  )
}
