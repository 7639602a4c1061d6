import { Text, Title } from '@mantine/core'
import { Import, importStates } from '@ordinator/model/areas/imports/import'
import { formatNumber } from '@ordinator/model/format'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { useList } from '#records/reads.ts'
import classes from './ImportDialog.module.css'
import { useRevert } from './useRevert.ts'

const SHOWN = 5

/** The user's last imports of a kind, each with revert. */
export function ImportHistory({ kind }: { kind: string }) {
  const list = useList(Import, { filter: { kind }, sort: '-id', limit: SHOWN }, { forbidden: 'silent' })
  const revert = useRevert()
  const runs = list.data?.items ?? []
  if (runs.length === 0) return null
  return (
    <section className={classes.history} aria-label="Прошлые импорты">
      <Title order={3} fz={13} mb={4}>
        Прошлые импорты
      </Title>
      <ul>
        {runs.map((run) => (
          <li key={run.id}>
            <Text span inherit truncate flex="1 1 200px" title={run.fileName}>
              {run.fileName}
            </Text>
            <Text span fz={13} c="dimmed">
              {formatDateTime(run.dateCreate)}
            </Text>
            <span className={run.state === 'failed' ? classes.wrong : undefined} title={run.message ?? undefined}>
              {importStates[run.state]}
              {run.state === 'running' && `: ${formatNumber(run.done)} из ${formatNumber(run.total)}`}
              {run.state === 'done' && `: ${formatNumber(run.created)}`}
            </span>
            {(run.state === 'done' || run.state === 'failed') && run.created > 0 && (
              <ActionButton
                label="Отменить импорт"
                reverse
                variant="subtle"
                size="compact-sm"
                loading={revert.isPending && revert.variables === run.id}
                onClick={() => revert.mutate(run.id)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
