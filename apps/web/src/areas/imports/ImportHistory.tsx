import { Button } from '@mantine/core'
import { Import, importStates } from '@ordinator/model/areas/imports/import'
import { formatNumber } from '@ordinator/model/format'
import { formatDateTime } from '../../kit/clock.ts'
import { useList } from '../../records/reads.ts'
import classes from './ImportDialog.module.css'
import { useRevert } from './useRevert.ts'

const SHOWN = 5

/** The own last imports of a kind, each with its way back. */
export function ImportHistory({ kind }: { kind: string }) {
  const list = useList(Import, { filter: { kind }, sort: '-id', limit: SHOWN }, { forbidden: 'silent' })
  const revert = useRevert()
  const runs = list.data?.items ?? []
  if (runs.length === 0) return null
  return (
    <section className={classes.history} aria-label="Прошлые импорты">
      <h3 className={classes.heading}>Прошлые импорты</h3>
      <ul className={classes.runs}>
        {runs.map((run) => (
          <li key={run.id}>
            <span className={classes.fileName} title={run.fileName}>
              {run.fileName}
            </span>
            <span className={classes.dim}>{formatDateTime(run.dateCreate)}</span>
            <span className={run.state === 'failed' ? classes.wrong : undefined} title={run.message ?? undefined}>
              {importStates[run.state]}
              {run.state === 'running' && `: ${formatNumber(run.done)} из ${formatNumber(run.total)}`}
              {run.state === 'done' && `: ${formatNumber(run.created)}`}
            </span>
            {(run.state === 'done' || run.state === 'failed') && run.created > 0 && (
              <Button
                variant="subtle"
                size="compact-sm"
                loading={revert.isPending && revert.variables === run.id}
                onClick={() => revert.mutate(run.id)}
              >
                Отменить импорт
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
