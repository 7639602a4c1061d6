import { can } from '@ordinator/model/access'
import type { Create, Entity, Row } from '@ordinator/model/entity'
import { wordsOf } from '@ordinator/model/registry'
import { IconCopy, IconLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { confirm } from '#kit/confirm.ts'
import { copyLink } from '#kit/copyLink.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { useReturnFocus } from '#kit/useReturnFocus.ts'
import type { AnyRow } from '../fields/ui.ts'
import { RemoveItem } from '../RemoveItem.tsx'
import { useRecord } from '../reads.ts'
import { headOf, namedBy, titleOf } from '../title.ts'
import { useRemove } from '../writes.ts'
import { type RecordParts, RegistryForm, RegistryRecord } from './RegistryRecord.tsx'

export interface PanelProps<E extends Entity> extends RecordParts<E> {
  entity: E
  /** The open record. */
  id: number | 'new'
  /** The record that a new one is copied from. */
  from?: number
  /** Internal path of the open record. */
  href: string
  wide?: boolean
  /** More actions for the open record, before its menu. */
  beside?: (row: Row<E>) => ReactNode
  /** Initial values of a new record on this screen. */
  initial?: Partial<Create<E>>
  /** Values of a copy; absent: no copies. */
  copyOf?: (row: Row<E>) => Partial<Create<E>>
  /** Custom deletion. */
  onRemove?: (row: Row<E>) => Promise<unknown>
  onMade: (row: Row<E>) => void
  onCopy: (id: number) => void
  onClose: () => void
}

/** One record of a registry in the side panel, or a new one. */
export function RegistryPanel<E extends Entity>(props: PanelProps<E>) {
  const { entity, id, from, wide, initial, copyOf, form, below, onMade, onClose } = props
  useReturnFocus()
  const wanted = id === 'new' ? from : id
  const by = namedBy(entity)
  const answer = useRecord(entity as Entity, wanted, by ? { expand: [by.as] } : {}, { forbidden: 'silent' })
  const row = answer.data as Row<E> | undefined
  const isGone = answer.error instanceof ApiError && answer.error.status === 404
  const name = row ? headOf(entity, row as AnyRow) : entity.label[0]
  const related = by && row && ((row as AnyRow)[by.as] as AnyRow | null | undefined)
  const title = related ? (
    <UserLink user={related} of={by.to}>
      {name}
    </UserLink>
  ) : (
    name
  )
  return (
    <SidePanel
      opened
      onClose={onClose}
      title={id === 'new' ? wordsOf(entity).fresh : title}
      wide={wide}
      actions={
        id !== 'new' &&
        row && (
          <>
            {props.beside?.(row)}
            <Actions {...props} row={row} />
          </>
        )
      }
    >
      {answer.isError ? (
        isGone ? (
          <EmptyState title="Запись не найдена" text="Возможно, её удалили" />
        ) : (
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        )
      ) : wanted !== undefined && !row ? (
        <LinesSkeleton lines={6} />
      ) : id === 'new' ? (
        <RegistryForm
          entity={entity}
          form={form}
          below={below}
          initial={row ? copyOf?.(row) : initial}
          draft={row && `copy of ${row.id}`}
          onMade={onMade}
          onCancel={onClose}
        />
      ) : (
        row && <RegistryRecord key={row.id} {...props} row={row} />
      )}
    </SidePanel>
  )
}

function Actions<E extends Entity>(props: PanelProps<E> & { row: Row<E> }) {
  const { entity, row, href, copyOf, onCopy, onRemove, onClose } = props
  const actor = useActor()
  const name = titleOf(entity, row as AnyRow)
  const remove = useRemove(entity as Entity, { message: wordsOf(entity).removed(name) })
  const run = async () => {
    const question = { message: `Удалить «${name}»? Вернуть будет нельзя.`, confirm: 'Удалить', danger: true }
    if (!onRemove && !entity.soft && !(await confirm(question))) return
    // Close first: otherwise the deleted record would be refetched, and not be found.
    onClose()
    await (onRemove ? onRemove(row) : remove.mutateAsync(row.id))
  }
  return (
    <ActionMenu label="Действия с записью">
      <MenuItem label="Скопировать ссылку" icon={IconLink} onClick={() => void copyLink(href, 'Ссылка на запись')} />
      {copyOf && can(actor, 'create', entity) && (
        <MenuItem label="Создать копию" icon={IconCopy} onClick={() => onCopy(row.id)} />
      )}
      {can(actor, 'delete', entity, row) && (
        <RemoveItem entity={entity} row={row} onRemove={() => void run().catch(() => undefined)} />
      )}
    </ActionMenu>
  )
}
