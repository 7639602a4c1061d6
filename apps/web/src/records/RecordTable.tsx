import { useMediaQuery } from '@mantine/hooks'
import { can } from '@ordinator/model/access'
import type { AnyFilter, AnyListQuery, Expanded, ExpandName } from '@ordinator/model/client'
import type { Entity } from '@ordinator/model/entity'
import { formatNumber } from '@ordinator/model/format'
import { IconFilterOff } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { useWidth } from '#kit/useWidth.ts'
import type { AnyRow } from './fields/ui.ts'
import { type ListDefaults, listQueryOf } from './listState.ts'
import { notifyFailure } from './notifyFailure.ts'
import classes from './RecordTable.module.css'
import { useList } from './reads.ts'
import type { BulkAction } from './table/BulkBar.tsx'
import { Cards } from './table/Cards.tsx'
import { ColumnMenu } from './table/ColumnMenu.tsx'
import { movedColumn, totalsText } from './table/choice.ts'
import { type Column, type ColumnSpec, fieldsOf, fittingColumns } from './table/columns.ts'
import { ExportMenu } from './table/ExportMenu.tsx'
import { FilterChips } from './table/FilterChips.tsx'
import { Grid } from './table/Grid.tsx'
import { Pager } from './table/Pager.tsx'
import { TableTools } from './table/TableTools.tsx'
import { useTableColumns } from './table/useTableColumns.ts'
import { useListState } from './useListState.ts'

const BulkBar = part(async () => ({ default: (await import('./table/BulkBar.tsx')).BulkBar<AnyRow> }))

interface Props<E extends Entity, X extends ExpandName<E>> {
  entity: E
  /** Names of fields, or custom columns; default: the title and the first fields. */
  columns?: readonly ((keyof E['fields'] & string) | 'id' | ColumnSpec<Expanded<E, X>>)[]
  /** More relations for custom cells; those of shown references are included automatically. */
  expand?: readonly X[]
  /** The screen's own filter, invisible to the user. */
  filter?: AnyFilter
  /** Initial state of the list. */
  defaults?: ListDefaults
  /** Prefix of its URL parameters, for several lists on a page. */
  prefix?: string
  onOpen?: (row: Expanded<E, X>) => void
  /** Internal path of a record, so that it can be opened in a new tab. */
  hrefOf?: (row: Expanded<E, X>) => string
  /** Bulk actions besides deleting. */
  actions?: readonly BulkAction<Expanded<E, X>>[]
  /** Deleted records instead of living ones. */
  deleted?: boolean
  /** false: rows cannot be selected. */
  selectable?: boolean
  /** false: without «Удалить» among the actions. */
  removable?: boolean
  /** The screen has its own filters and views; the table only sorts, pages, selects and exports. */
  bare?: boolean
  /** Shown instead of an empty table: what to do. */
  empty?: { title: string; text?: ReactNode; action?: ReactNode }
  /** More controls after the filter. */
  tools?: ReactNode
  /** Called when the list fails to load; the error is shown in any case. */
  onFailed?: (error: Error) => void
  /** Shown together with other independently loading parts of the screen. */
  held?: boolean
  /** Rows shown muted: archived, blocked. */
  isMuted?: (row: Expanded<E, X>) => boolean
}

/** The server's limit of one list. */
const MAX_SELECTED = 500
/** Pixels of the table's border. */
const FRAME = 2

/**
 * The list of an entity: search, filters, sorting and paging on the server and in the URL; columns, saved views,
 * selection, export. Cards instead of a table on a phone.
 */
export function RecordTable<E extends Entity, X extends ExpandName<E> = never>(props: Props<E, X>) {
  const {
    entity,
    filter,
    defaults,
    prefix,
    onOpen,
    selectable = true,
    removable = true,
    bare = false,
    held = false,
    onFailed,
  } = props
  const actor = useActor()
  const list = useListState(entity, { defaults, prefix })
  const { state, set } = list
  const narrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
  const scope = `${entity.path}${prefix ? `#${prefix}` : ''}`
  const chosen = useTableColumns(entity, { scope, opened: state.view, own: props.columns, bare })
  const { all, view, columns, keys, setColumns } = chosen
  const section = useRef<HTMLElement>(null)
  const width = useWidth(section)
  // Explicitly chosen columns are all shown, and the table scrolls.
  const fitting = chosen.areExplicit ? columns : fittingColumns(columns, width - FRAME, selectable)
  const exported = columns.filter((c) => c.field || c.exported)
  const query: AnyListQuery = {
    ...listQueryOf(entity, state, filter),
    deleted: props.deleted,
    fields: fieldsOf(entity, actor, columns),
    expand: [...new Set([...(props.expand ?? []), ...columns.flatMap((column) => column.expand)])],
  }
  const answer = useList<Entity, string>(entity, query, { reportsFailure: onFailed !== undefined })
  useRevealDelay(held && answer.isLoading)
  useEffect(() => {
    if (answer.error) onFailed?.(answer.error)
  }, [answer.error, onFailed])
  const rows: AnyRow[] = answer.data?.items ?? []
  const [selected, setSelected] = useState<ReadonlyMap<number, AnyRow>>(new Map())
  const meta = answer.data?._meta
  const nothing = answer.isSuccess && !answer.isPlaceholderData && rows.length === 0
  const actions = (props.actions ?? []) as readonly BulkAction<AnyRow>[]
  const selectAll = async () => {
    // Paging and counting aside, the same list.
    const { page: _, after: __, count: ___, ...whole } = query
    const most = { ...whole, limit: MAX_SELECTED }
    const { items, _meta } = await recordsWith({ forbidden: 'toast' }).list<Entity, string>(entity, most)
    setSelected(new Map((items as AnyRow[]).map((row) => [row.id, row])))
    if (_meta.hasMore)
      notify.info(`Выбраны первые ${formatNumber(MAX_SELECTED)}: сузьте условия, чтобы выбрать остальное`)
  }
  const shared = {
    columns: (narrow ? columns : fitting) as Column<AnyRow>[],
    rows,
    loading: answer.isPending,
    stale: answer.isPlaceholderData,
    limit: Math.min(state.limit, 12),
    onOpen: onOpen as ((row: AnyRow) => void) | undefined,
    hrefOf: props.hrefOf as ((row: AnyRow) => string) | undefined,
    isMuted: props.isMuted as ((row: AnyRow) => boolean) | undefined,
    selected: selectable ? selected : undefined,
    onSelect: setSelected,
    onSelectAll: () => void selectAll().catch(notifyFailure),
    actions,
    label: entity.label[2],
  }
  const own = (
    <>
      {!narrow && (
        <ColumnMenu
          all={all as Column<never>[]}
          shown={keys}
          hidden={keys.filter((key) => !fitting.some((column) => column.key === key))}
          onChange={setColumns}
          onReset={() => setColumns(view ? all.filter((c) => !c.hidden).map((c) => c.key) : [])}
        />
      )}
      <ExportMenu
        entity={entity}
        query={{ ...query, fields: exported.map((c) => c.exported ?? c.key) }}
        titles={exported.map((c) => c.label)}
      />
    </>
  )
  return (
    <section ref={section} className={classes.table} aria-label={`Список: ${entity.label[2]}`}>
      <TableTools {...{ entity, list, chosen, bare, narrow }} tools={props.tools}>
        {own}
      </TableTools>
      <FilterChips
        entity={entity}
        conditions={state.conditions}
        search={state.search}
        onChange={(conditions) => set({ conditions })}
        onSearchClear={() => set({ search: '' })}
        onReset={list.reset}
      />
      {answer.isError ? (
        <ErrorState
          title="Не удалось загрузить список"
          error={answer.error}
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        />
      ) : nothing ? (
        <NoRows list={list} empty={props.empty} />
      ) : narrow ? (
        <Cards {...shared} />
      ) : (
        <Grid
          {...shared}
          onWidth={chosen.setWidth}
          onMove={(moved, before) =>
            setColumns(
              movedColumn(
                fitting.map(({ key }) => key),
                moved,
                before,
              ),
            )
          }
          sort={state.sort || entity.sort || ''}
          onSort={(sort) => set({ sort: sort === entity.sort ? '' : sort })}
        />
      )}
      {!answer.isError && !nothing && (
        <div className={classes.foot}>
          {selected.size > 0 && (
            <BulkBar
              entity={entity}
              rows={[...selected.values()]}
              actions={actions}
              totals={totalsText(fitting as Column<AnyRow>[], [...selected.values()])}
              removable={removable && can(actor, 'delete', entity)}
              onDone={(left) => setSelected(new Map(left.map((row) => [row.id, row])))}
            />
          )}
          <Pager
            entity={entity}
            meta={meta}
            state={state}
            standard={defaults?.limit}
            onChange={set}
            quiet={selected.size > 0}
          />
        </div>
      )}
    </section>
  )
}

/** Shown instead of an empty table. */
function NoRows({ list, empty }: { list: ReturnType<typeof useListState>; empty: Props<Entity, never>['empty'] }) {
  const { state, set } = list
  if (state.page > 1)
    return (
      <EmptyState
        title="На этой странице ничего нет"
        action={<ActionButton label="На первую страницу" variant="default" onClick={() => set({ page: 1 })} />}
      />
    )
  if (list.isNarrowed || state.conditions.length > 0 || state.search)
    return (
      <EmptyState
        icon={IconFilterOff}
        title="Ничего не найдено"
        text="Измените условия поиска или сбросьте их"
        action={
          <ActionButton
            label="Сбросить условия"
            variant="default"
            onClick={() => (list.isNarrowed ? list.reset() : set({ search: '', conditions: [] }))}
          />
        }
      />
    )
  return <EmptyState {...(empty ?? { title: 'Здесь пока пусто' })} />
}
