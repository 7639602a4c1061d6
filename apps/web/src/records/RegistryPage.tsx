import { Button } from '@mantine/core'
import { can, signedIn } from '@ordinator/model/access'
import type { AnyFilter, Expanded, ExpandName, Filter } from '@ordinator/model/client'
import type { Entity, Row } from '@ordinator/model/entity'
import type { Page } from '@ordinator/model/page'
import { type Permission, permissionLabel } from '@ordinator/model/permissions'
import { wordsOf } from '@ordinator/model/registry'
import { IconArrowLeft, IconPlus, IconRestore, IconTrash } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { type ComponentProps, type ComponentType, type ReactNode, useMemo } from 'react'
import { useAddress } from '#base/address.ts'
import { id, mark } from '#base/addressValues.ts'
import { useFirstDeed } from '#base/firstDeed.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { FilterFields } from './filters/FilterBar.tsx'
import type { Filters } from './filters/filters.ts'
import { RecordTable } from './RecordTable.tsx'
import { FamilyTabs } from './registry/FamilyTabs.tsx'
import { LatePanel, loadPanel } from './registry/LatePanel.tsx'
import classes from './registry/Registry.module.css'
import type { PanelProps } from './registry/RegistryPanel.tsx'
import { titleOf } from './title.ts'
import { useRestoreMany } from './writes.ts'

type Table<E extends Entity, X extends ExpandName<E>> = ComponentProps<typeof RecordTable<E, X>>
type Panel<E extends Entity> = Pick<
  PanelProps<E>,
  'tabs' | 'main' | 'form' | 'saved' | 'wide' | 'below' | 'beside' | 'initial' | 'copyOf' | 'onRemove'
>

interface Props<E extends Entity, X extends ExpandName<E>, V extends object>
  extends Pick<Table<E, X>, 'columns' | 'expand' | 'actions' | 'isMuted' | 'defaults' | 'removable'>,
    Panel<E> {
  page: Page
  entity: E
  /** Filters of the list, besides the user's own conditions. */
  filters?: Filters<V, unknown, unknown>
  /** Additional condition of the list: the group selected at the side. */
  filter?: Filter<E>
  /** Wraps the list, beside a tree of groups; default: the list alone. */
  layout?: (list: ReactNode) => ReactNode
  /** More buttons in the head. */
  tools?: ReactNode
  /** Shown when there are no records; default: the declaration's texts. */
  empty?: { title: string; text?: string }
  /** Records have their own page at this internal path; default: they open over the list. */
  pageOf?: (id: number) => string
  /** Internal path of the page for a new record. */
  newAt?: string
  /** A custom component for creating a record. */
  create?: ComponentType<{ onClose: () => void; onMade: (id: number) => void }>
  /** Shows an open record in a custom panel; new ones still use the registry's. */
  panel?: ComponentType<{ id: number; onClose: () => void }>
  /** Rows can be selected for `actions` even without rights to edit or delete. */
  selectable?: boolean
  /** URL parameter of the open record: `?open=12`, `?open=new`. */
  param?: string
}

/**
 * The screen of an entity, from its declaration: list with search, filters, sorting, columns, views, selection and export;
 * creating, editing, history, copying the link, deleting with undo, deleted records. Special features are props; a plain
 * registry needs only its line in the page list.
 */
export function RegistryPage<E extends Entity, X extends ExpandName<E> = never, V extends object = object>(
  props: Props<E, X, V>,
) {
  const {
    page,
    entity,
    filters,
    filter,
    layout,
    pageOf,
    newAt,
    create: Create,
    panel: Panel,
    param = 'open',
    isMuted,
    actions,
    ...rest
  } = props
  const actor = useActor()
  const { navigate } = useRouter()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filters and the name are constants of their screen
  const read = useMemo(() => reader(param, filters), [])
  const [address, setAddress] = useAddress(read)
  const { open, from, trash, values } = address
  // A page with a part of the records has its own texts.
  const fresh = (page.entity === undefined && page.makes?.label) || wordsOf(entity).fresh
  const mayCreate = can(actor, 'create', entity)
  const mayRestore = entity.soft && can(actor, 'delete', entity)
  useFirstDeed(loadPanel)
  const set = (patch: Search, replace = false) =>
    setAddress({ from: undefined, tab: undefined, ...patch } as object, { replace })
  const show = (wanted: number | 'new' | undefined, more: Search = {}) => set({ [param]: wanted, ...more })
  const openOne = (wanted: number) => (pageOf ? void navigate({ to: pageOf(wanted) }) : show(wanted))
  const add = () => (newAt === undefined ? show('new') : void navigate({ to: newAt }))
  useHotkey('n', add, { label: fresh, group: page.title, enabled: mayCreate && open === undefined })
  const condition = useMemo(() => joined(filter, filters?.filter(values as V)), [filter, filters, values])
  const isNarrowed = filters !== undefined && filters.count(values as V) > 0
  const hrefOf = (wanted: number) => pageOf?.(wanted) ?? `/${page.path}?${param}=${wanted}`
  const table = { entity, filter: condition, defaults: props.defaults, expand: props.expand, columns: columnsOf(props) }
  const list =
    trash && mayRestore ? (
      <Trash key="trash" table={table} entity={entity} />
    ) : (
      <RecordTable<E, X>
        {...table}
        key="list"
        held={layout !== undefined}
        onOpen={(row) => openOne(row.id)}
        hrefOf={(row) => hrefOf(row.id)}
        isMuted={isMuted}
        actions={actions}
        removable={rest.removable}
        selectable={props.selectable || can(actor, 'update', entity) || can(actor, 'delete', entity)}
        tools={
          filters && (
            <FilterFields
              filters={filters}
              values={values as V}
              onChange={(patch, options) =>
                setAddress({ ...patch, page: undefined } as object, { replace: options?.replace })
              }
            />
          )
        }
        empty={
          isNarrowed
            ? {
                title: 'Ничего не найдено',
                text: 'Измените условия или сбросьте их',
                action: (
                  <ActionButton
                    label="Сбросить условия"
                    variant="default"
                    onClick={() => setAddress(filters?.none as object)}
                  />
                ),
              }
            : {
                ...withWhom(props.empty ?? entity.registry?.empty ?? { title: 'Здесь пока пусто' }, entity, mayCreate),
                action: mayCreate && <Button onClick={add}>{fresh}</Button>,
              }
        }
      />
    )
  const waits = (
    <div className={classes.body}>
      <LinesSkeleton lines={8} />
    </div>
  )
  return (
    <RevealTogether>
      <PageHead
        title={page.title}
        help={trash && mayRestore ? 'Удалённые записи: их можно вернуть в течение 30 дней' : page.help}
        actions={
          <>
            {props.tools}
            {mayCreate && !trash && <ActionButton label={fresh} icon={IconPlus} onClick={add} />}
            {mayRestore && (
              <More trash={trash === true} onTrash={(on) => set({ trash: on || undefined, page: undefined })} />
            )}
          </>
        }
      >
        {page.family && <FamilyTabs page={page} />}
      </PageHead>
      <Revealed fallback={waits}>{layout ? layout(list) : <div className={classes.body}>{list}</div>}</Revealed>
      {open === 'new' && Create && mayCreate && (
        <Create
          onClose={() => show(undefined)}
          onMade={(made) => (pageOf ? openOne(made) : set({ [param]: made }, true))}
        />
      )}
      {Panel && typeof open === 'number' && <Panel key={open} id={open} onClose={() => show(undefined)} />}
      {open !== undefined && !(open === 'new' ? Create || !mayCreate : pageOf || Panel) && (
        <LatePanel
          key={open}
          {...rest}
          entity={entity}
          id={open}
          from={from}
          href={open === 'new' ? `/${page.path}` : hrefOf(open)}
          // One rule: what was created is open, in the panel or on its page.
          onMade={({ id: made }) => (pageOf ? openOne(made) : set({ [param]: made }, true))}
          onCopy={(of) => show('new', { from: of })}
          onClose={() => show(undefined)}
        />
      )}
    </RevealTogether>
  )
}

/** Text of an empty list for users who cannot add records: who can. */
function withWhom(
  empty: { title: string; text?: string },
  { access: { create } }: Entity,
  mayCreate: boolean,
): { title: string; text?: string } {
  if (mayCreate || create === undefined || create === signedIn) return empty
  const [first] = typeof create === 'string' ? [create as Permission] : create
  return first ? { ...empty, text: `Добавляет тот, у кого есть право «${permissionLabel(first)}»` } : empty
}

const joined = (...all: (AnyFilter | undefined)[]): AnyFilter | undefined => {
  const parts = all.filter((one) => one !== undefined)
  return parts.length > 1 ? { and: parts } : parts[0]
}

/** Columns of the screen, or else of the declaration. */
const columnsOf = <E extends Entity, X extends ExpandName<E>, V extends object>(props: Props<E, X, V>) =>
  props.columns ?? (props.entity.registry?.columns as Table<E, X>['columns'])

interface Address {
  open?: number | 'new'
  /** The record to copy. */
  from?: number
  trash?: true
  /** Values of the filters. */
  values: object
}

const reader =
  (param: string, filters: { read(search: object): object } | undefined) =>
  (search: Search): Address => ({
    open: search[param] === 'new' ? 'new' : id(search[param]),
    from: id(search.from),
    trash: mark(search.trash),
    values: filters?.read(search) ?? {},
  })

function More({ trash, onTrash }: { trash: boolean; onTrash: (on: boolean) => void }) {
  if (trash)
    return <ActionButton label="К списку" variant="default" icon={IconArrowLeft} onClick={() => onTrash(false)} />
  return (
    <ActionMenu label="Другие действия" variant="default" size={32}>
      <MenuItem label="Удалённые" icon={IconTrash} onClick={() => onTrash(true)} />
    </ActionMenu>
  )
}

/** Deleted records that can still be restored. */
function Trash<E extends Entity, X extends ExpandName<E>>({ entity, table }: { entity: E; table: Table<E, X> }) {
  const restore = useRestoreMany(entity)
  const bring = (rows: readonly { id: number }[]) =>
    restore.mutateAsync(rows.map((row) => row.id)).then(
      () => true,
      () => false,
    )
  const columns = [
    ...(table.columns ?? [entity.title ?? 'id']),
    {
      key: 'restore',
      label: 'Вернуть',
      width: 150,
      sort: false,
      actions: true,
      cell: (row: Expanded<E, X>) => (
        <ActionButton
          label="Восстановить"
          size="compact-sm"
          variant="light"
          icon={IconRestore}
          aria-label={`Восстановить: ${titleOf(entity, row)}`}
          onClick={() => void bring([row as Row<E>])}
        />
      ),
    },
  ] as Table<E, X>['columns']
  return (
    <RecordTable<E, X>
      {...table}
      columns={columns}
      deleted
      removable={false}
      actions={[{ key: 'restore', label: 'Восстановить', icon: IconRestore, run: bring }]}
      empty={{ title: 'Удалённых нет' }}
    />
  )
}
