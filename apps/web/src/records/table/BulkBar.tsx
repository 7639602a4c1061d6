import { can } from '@ordinator/model/access'
import { type Entity, keptBecause } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconTrash, type TablerIcon } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { useRemove } from '../writes.ts'
import classes from './BulkBar.module.css'

export interface BulkAction<R> {
  key: string
  label: string
  icon?: TablerIcon
  /** false: shown but disabled for these rows. */
  allowed?: (rows: R[]) => boolean
  /** Reason why a row cannot be changed, shown before the click. If all have one, the button is disabled. */
  keeps?: (row: R) => string | undefined
  /** Afterwards the selection is cleared; false keeps it, and returned rows replace it. */
  run?: (rows: R[]) => unknown
  /** Opens a dialog, which shows progress itself. */
  opens?: boolean
  /** A custom control instead of a button. */
  render?: (rows: R[], allowed: boolean, kept: string | undefined) => ReactNode
  danger?: boolean
}

interface Props<R> {
  entity: Entity
  rows: R[]
  actions: readonly BulkAction<R>[]
  removable: boolean
  /** Sums of the selected rows: «сумма 34 100 ₽». */
  totals?: string
  /** With the rows that stay selected. */
  onDone: (left: R[]) => void
}

/** Actions on the selected records. */
export function BulkBar<R extends { id: number }>({ entity, rows, actions, removable, totals, onDone }: Props<R>) {
  const actor = useActor()
  const remove = useRemove(entity)
  /** Reasons known only to the server are reported after the click, by `useRemove`. */
  const stay = keptOf(
    rows.map((row) => keptBecause(entity, row, actor) ?? (can(actor, 'delete', entity, row) ? undefined : NO_RIGHT)),
    ['Ни одна не удалится', 'Не удалятся'],
  )
  const [busy, setBusy] = useState<string>()
  const run = async (action: BulkAction<R>) => {
    setBusy(action.key)
    try {
      const left = await action.run?.(rows)
      if (left !== false) onDone(Array.isArray(left) ? left : [])
    } finally {
      setBusy(undefined)
    }
  }
  const removeAll = async () => {
    const question = {
      message: `Удалить ${counted(rows.length, recordForms)}? Вернуть будет нельзя.`,
      confirm: 'Удалить',
      danger: true,
    }
    if (!entity.soft && !(await confirm(question))) return
    remove.mutate(
      rows.map((row) => row.id),
      { onSuccess: ({ done }) => onDone(rows.filter(({ id }) => !done.includes(id))) },
    )
  }
  return (
    <div className={classes.bar} role="toolbar" aria-label="Действия с выбранными">
      <span className={classes.count}>
        Выбрано: {rows.length}
        {totals && `, ${totals}`}
      </span>
      {actions.map((action) => {
        const kept = keptOf(
          rows.map((row) => action.keeps?.(row)),
          ['Ни одна не изменится', 'Не изменятся'],
        )
        const allowed = action.allowed?.(rows) !== false && !kept.all
        return action.render ? (
          <Fragment key={action.key}>{action.render(rows, allowed, kept.why)}</Fragment>
        ) : (
          <ActionButton
            label={action.label}
            key={action.key}
            variant="light"
            color={action.danger ? 'red' : undefined}
            leftSection={action.icon && <action.icon size={18} />}
            loading={busy === action.key && !action.opens}
            disabled={!allowed}
            title={kept.why}
            onClick={() => void run(action)}
          />
        )
      })}
      {removable && (
        <ActionButton
          label="Удалить"
          variant="light"
          color="red"
          icon={IconTrash}
          loading={remove.isPending}
          disabled={stay.all}
          title={stay.why}
          onClick={() => void removeAll()}
        />
      )}
      <ActionButton label="Снять выбор" variant="subtle" color="gray" onClick={() => onDone([])} />
    </div>
  )
}

const NO_RIGHT = 'нет права'

/** Reasons for some of the rows, and whether all have one. */
function keptOf(reasons: readonly (string | undefined)[], [all, some]: readonly [string, string]) {
  const given = reasons.filter((one) => one !== undefined)
  const why = [...new Set(given)].join('; ')
  if (given.length === 0) return { all: false, why: undefined }
  if (given.length < reasons.length) return { all: false, why: `${some} ${given.length} из ${reasons.length}: ${why}` }
  return { all: true, why: reasons.length === 1 ? why : `${all}: ${why}` }
}

const recordForms = ['запись', 'записи', 'записей'] as const
