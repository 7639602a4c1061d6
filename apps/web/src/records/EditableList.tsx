import { Group } from '@mantine/core'
import type { AnyListQuery, Expanded, ExpandName } from '@ordinator/model/client'
import type { Create, Entity } from '@ordinator/model/entity'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ClipboardEvent, type ReactNode, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import frame from '#kit/framedRows.module.css'
import { IconButton } from '#kit/IconButton.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useFocusBack } from '#kit/useFocusBack.ts'
import { KeysHint } from '#kit/Words.tsx'
import { searchFields, searchFilter } from './conditions.ts'
import classes from './EditableList.module.css'
import { uiOf } from './fields/registry.ts'
import type { AnyRow } from './fields/ui.ts'
import { RecordFields } from './form/RecordFields.tsx'
import { PasteDialog } from './PasteDialog.tsx'
import { RecordForm } from './RecordForm.tsx'
import { useEndlessList } from './reads.ts'
import { cellsOf, isTable, type SheetRows, sheetRows } from './sheetRows.ts'
import { SearchBox } from './table/SearchBox.tsx'
import { titleOf } from './title.ts'
import { useRemove } from './writes.ts'

interface Props<E extends Entity, X extends ExpandName<E>> {
  entity: E
  /** Limits the list to records of a parent: `{ idFilial: 7 }`; new ones get the same values. */
  of?: Readonly<Record<string, number>>
  /** Initial values of a new record. */
  initial?: Partial<Create<E>>
  /** Relations to read. */
  expand?: readonly X[]
  /** The name of a record without a title. */
  nameOf?: (row: Expanded<E, X>) => string
  /** Only shown. */
  readOnly?: boolean
  /** Accessible name of the list. */
  label: string
  /** Fields of the form, in order. */
  fields: readonly string[]
  /** Label of the button: «Новый источник». */
  add: string
  /** Shown for an empty list. */
  empty: { title: string; text: string }
  /** Toast after a deletion. */
  removed: (name: string) => string
  /** Beside the name. */
  about?: (row: Expanded<E, X>) => ReactNode
  /** Below the name. */
  children?: (row: Expanded<E, X>) => ReactNode
}

const PORTION = 50

/** A short list edited in place, as in a side panel: each record opens as a form in its row. */
export function EditableList<E extends Entity, X extends ExpandName<E> = never>(props: Props<E, X>) {
  const { entity, of, initial, expand, readOnly, label, fields, add, empty, removed, about, children } = props
  const nameOf = props.nameOf ?? ((row: Expanded<E, X>) => titleOf(entity, row as AnyRow))
  const [editing, setEditing] = useState<number | 'new'>()
  const root = useFocusBack<HTMLDivElement>(editing)
  const [text, setText] = useState('')
  const query: AnyListQuery = { limit: PORTION, expand, filter: { ...of, ...(text ? searchFilter(entity, text) : {}) } }
  const list = useEndlessList<Entity, string>(entity, query, { forbidden: 'silent' })
  const rows = list.items as (Expanded<E, X> & AnyRow)[]
  const close = () => setEditing(undefined)
  const [pasted, setPasted] = useState<SheetRows>()
  const canPaste = fields.some((name) => entity.fields[name] && uiOf(entity.fields[name]).pasted)
  const onPaste = (event: ClipboardEvent) => {
    // A text of several lines belongs to the field of several lines, and to a record that is being changed.
    const isText = event.target instanceof HTMLTextAreaElement || typeof editing === 'number'
    const cells = isText || readOnly ? [] : cellsOf(event.clipboardData.getData('text/plain'))
    if (!canPaste || !isTable(cells)) return
    event.preventDefault()
    close()
    setPasted(sheetRows(entity, fields, cells))
  }
  const form = (row?: Expanded<E, X>) => (
    <div className={classes.form}>
      <RecordForm
        entity={entity}
        record={row}
        fixed={of as Partial<Create<E>> | undefined}
        initial={initial}
        draft={of && Object.values(of).join()}
        onSaved={close}
        onCancel={close}
      >
        <RecordFields names={fields} autoFocus />
      </RecordForm>
    </div>
  )
  const searchable = searchFields(entity).length > 0 && (text !== '' || list.hasNextPage || rows.length > MANY)
  return (
    <div ref={root} onPaste={onPaste}>
      {searchable && (
        <div className={classes.tools}>
          <SearchBox value={text} onChange={setText} placeholder="Найти" />
        </div>
      )}
      {list.isPending && <LinesSkeleton lines={4} />}
      {list.isError && <ErrorState title="Не загрузилось" error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && editing === undefined && (
        <EmptyState title={text ? 'Ничего не найдено' : empty.title} text={text ? undefined : empty.text} />
      )}
      <ul className={frame.list} aria-label={label}>
        {rows.map((row) =>
          editing === row.id ? (
            <li key={row.id}>{form(row)}</li>
          ) : (
            <Item
              key={row.id}
              entity={entity}
              row={row}
              name={nameOf(row)}
              removed={removed}
              about={about?.(row)}
              onEdit={readOnly ? undefined : () => setEditing(row.id)}
            >
              {children?.(row)}
            </Item>
          ),
        )}
      </ul>
      <MoreRows list={list} />
      {editing === 'new' ? (
        form()
      ) : readOnly ? null : (
        <HStack wrap gap="4px 12px" mt="md">
          <ActionButton
            data-opens="new"
            label={add}
            variant="default"
            icon={IconPlus}
            onClick={() => setEditing('new')}
          />
          {canPaste && <KeysHint>Строки из Excel вставляются сюда: Ctrl+V</KeysHint>}
        </HStack>
      )}
      {pasted && (
        <PasteDialog
          entity={entity}
          pasted={pasted}
          fixed={{ ...initial, ...of } as Partial<Create<E>>}
          onClose={() => setPasted(undefined)}
        />
      )}
    </div>
  )
}

/** From this many rows on there is a search. */
const MANY = 12

interface ItemProps {
  entity: Entity
  row: AnyRow
  name: string
  removed: (name: string) => string
  about: ReactNode
  /** Absent: read-only. */
  onEdit: (() => void) | undefined
  children: ReactNode
}

function Item({ entity, row, name, removed, about, onEdit, children }: ItemProps) {
  const remove = useRemove(entity, { message: removed(name) })
  return (
    <li className={frame.item}>
      <div className={classes.face}>
        <div className={frame.who}>
          <strong className={frame.name}>{name}</strong>
          <span className={frame.meta}>{about}</span>
        </div>
        {onEdit && (
          <Group gap={4} wrap="nowrap">
            <IconButton icon={IconPencil} data-opens={row.id} label={`Изменить: ${name}`} onClick={onEdit} />
            <IconButton icon={IconTrash} label={`Удалить: ${name}`} onClick={() => remove.mutate(row.id)} />
          </Group>
        )}
      </div>
      {children}
    </li>
  )
}
