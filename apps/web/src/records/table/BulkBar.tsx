import { can } from '@ordinator/model/access'
import { type Entity, keptBecause } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconTrash, type TablerIcon } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import { useActor } from '../../base/session.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { confirm } from '../../kit/confirm.ts'
import { useRemove } from '../writes.ts'
import classes from './BulkBar.module.css'

export interface BulkAction<R> {
  key: string
  label: string
  icon?: TablerIcon
  /** false: shown and switched off for these rows. */
  allowed?: (rows: R[]) => boolean
  /** The selection is dropped when it is done; false keeps it. */
  run?: (rows: R[]) => unknown
  /** A control of its own instead of a button. */
  render?: (rows: R[], allowed: boolean) => ReactNode
  danger?: boolean
}

interface Props<R> {
  entity: Entity
  rows: R[]
  actions: readonly BulkAction<R>[]
  removable: boolean
  onDone: () => void
}

/** What can be done with the selected records. */
export function BulkBar<R extends { id: number }>({ entity, rows, actions, removable, onDone }: Props<R>) {
  const actor = useActor()
  const remove = useRemove(entity)
  const reasons = rows.map((row) => keptBecause(entity, row, actor))
  const why = [...new Set(reasons.filter((one) => one !== undefined))]
  const stay = reasons.filter(Boolean).length
  /** Said before the click; what the server alone knows is told after it, by `useRemove`. */
  const kept =
    stay === 0
      ? undefined
      : rows.length === 1
        ? why[0]
        : `${stay === rows.length ? 'Ни одна не удалится' : `Не удалятся ${stay} из ${rows.length}`}: ${why.join('; ')}`
  const [busy, setBusy] = useState<string>()
  const run = async (action: BulkAction<R>) => {
    setBusy(action.key)
    try {
      if ((await action.run?.(rows)) !== false) onDone()
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
      { onSuccess: ({ refused }) => refused.size === 0 && onDone() },
    )
  }
  return (
    <div className={classes.bar} role="toolbar" aria-label="Действия с выбранными">
      <span className={classes.count}>Выбрано: {rows.length}</span>
      {actions.map((action) =>
        action.render ? (
          <Fragment key={action.key}>{action.render(rows, action.allowed?.(rows) !== false)}</Fragment>
        ) : (
          <ActionButton
            label={action.label}
            key={action.key}
            variant="light"
            color={action.danger ? 'red' : undefined}
            leftSection={action.icon && <action.icon size={18} />}
            loading={busy === action.key}
            disabled={action.allowed?.(rows) === false}
            onClick={() => void run(action)}
          />
        ),
      )}
      {removable && (
        <ActionButton
          label="Удалить"
          variant="light"
          color="red"
          icon={IconTrash}
          loading={remove.isPending}
          disabled={!rows.every((row) => can(actor, 'delete', entity, row)) || stay === rows.length}
          title={kept}
          onClick={() => void removeAll()}
        />
      )}
      <ActionButton label="Снять выбор" variant="subtle" color="gray" onClick={onDone} />
    </div>
  )
}

const recordForms = ['запись', 'записи', 'записей'] as const
