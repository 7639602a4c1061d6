import { Box } from '@mantine/core'
import { toDo, waitsForCheck } from '@ordinator/model/areas/tasks/mine'
import { Task } from '@ordinator/model/areas/tasks/task'
import { type AnyFilter, type Filter, totalOf } from '@ordinator/model/client'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useAddress } from '#base/address.ts'
import { id } from '#base/addressValues.ts'
import { usePreference } from '#base/preferences.ts'
import type { Search } from '#base/redirect.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { today } from '#kit/clock.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether, useRevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useRowKeys } from '#kit/useRowKeys.ts'
import { readClosed } from '#records/closedSections.ts'
import { one } from '#records/filters/choice.tsx'
import { FilterFields } from '#records/filters/FilterBar.tsx'
import { filters, type ValuesOf } from '#records/filters/filters.ts'
import { ref } from '#records/filters/ref.tsx'
import { ListSection } from '#records/ListSection.tsx'
import { useEndlessList } from '#records/reads.ts'
import { readAddress, type TasksAddress } from '../address.ts'
import { BoardStore } from '../board/boardStore.ts'
import { useBoardData } from '../board/useBoardData.ts'
import { dueGroups } from '../views/groups.ts'
import { TaskRow } from '../views/TaskRow.tsx'
import { LooseTask } from './LooseTask.tsx'

const CardDialog = part(() => import('../card/CardDialog.tsx'))
const NewTask = part(async () => ({ default: (await import('../NewTask.tsx')).NewTask }))
const PORTION = 20
const page = pageByKey('myTasks')

const relations = { executor: 'Исполняю', responsible: 'Отвечаю', creator: 'Поставил' } as const

/** The relation is applied by the groups, as not all depend on it. */
const myFilters = filters(Task, {
  as: one({ label: 'Какие задачи', options: relations, any: 'Все', segments: true }),
  space: ref('assigned.column.idBoard', {
    label: 'Рабочее пространство',
    any: 'Все пространства',
    among: { isMember: true },
  }),
})
type MyFilters = ValuesOf<typeof myFilters>

const read = (
  search: Search,
): MyFilters & Pick<TasksAddress, 'board' | 'assignedColumn'> & { open?: 'new'; task: number | undefined } => {
  const { board, assignedColumn } = readAddress(search)
  return {
    ...myFilters.read(search),
    board,
    assignedColumn,
    open: search.open === 'new' ? 'new' : undefined,
    task: id(search.task),
  }
}

/** Мои задачи: the user's tasks on all workspaces, by due date. */
export default function MyTasksPage() {
  const actor = useActor()
  const [address, setAddress] = useAddress(read)
  const [closed, setClosed] = usePreference('my-tasks', readClosed, 'device')
  const frame = useRef<HTMLDivElement>(null)
  const opened = address.board !== undefined && address.assignedColumn !== undefined
  useRowKeys(frame, !opened)
  useHotkey('n', () => setAddress({ open: 'new' }), { enabled: !opened, label: 'Новая задача', group: page.title })
  const day = today()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the groups change with the day
  const now = useMemo(() => new Date(), [day])
  const groups = useMemo(() => groupsOf(actor.id, address.as, now), [actor.id, address.as, now])
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={<ActionButton label="Новая задача" icon={IconPlus} onClick={() => setAddress({ open: 'new' })} />}
      />
      <HStack align="stretch" wrap px="var(--ord-page)" pb={16}>
        <FilterFields filters={myFilters} values={address} onChange={setAddress} />
      </HStack>
      <Box ref={frame} px="var(--ord-page)" pb="var(--ord-page)">
        <RevealTogether>
          <Revealed fallback={<LinesSkeleton lines={12} />}>
            {groups.map((group) => {
              const isClosed = closed.keys.includes(group.key)
              const others = closed.keys.filter((key) => key !== group.key)
              return (
                <Section
                  key={group.key}
                  group={group}
                  space={address.space}
                  closed={isClosed}
                  onToggle={() => setClosed({ keys: isClosed ? others : [...others, group.key] })}
                />
              )
            })}
          </Revealed>
        </RevealTogether>
      </Box>
      {address.task !== undefined && (
        <LooseTask idTask={address.task} onClose={() => setAddress({ task: undefined })} />
      )}
      {address.open && <NewTask onClose={() => setAddress({ open: undefined }, { replace: true })} />}
      {address.board !== undefined && address.assignedColumn !== undefined && (
        <OpenedCard
          key={address.board}
          idBoard={address.board}
          idCard={address.assignedColumn}
          onClose={() => setAddress({ board: undefined, assignedColumn: undefined })}
        />
      )}
    </>
  )
}

interface MyGroup {
  key: string
  title: string
  tone?: 'late'
  filter: AnyFilter
}

function groupsOf(idUser: number, as: MyFilters['as'], now: Date): MyGroup[] {
  const mine: Record<keyof typeof relations, AnyFilter> = {
    executor: { 'executors.member.idUser': idUser },
    responsible: { 'responsible.member.idUser': idUser },
    creator: { idUser },
  }
  const own: AnyFilter = as ? { and: [mine[as], { isWaitCheck: false }] } : toDo(idUser)
  const dues = dueGroups(now).filter((group) => group.key !== 'due-done')
  return [
    ...dues.map(({ key, title, tone, filter }) => ({
      key,
      title,
      tone,
      filter: { and: [own, filter] },
    })),
    {
      key: 'wait',
      title: 'Ждут моей проверки',
      filter: waitsForCheck(idUser),
    },
    {
      key: 'watched',
      title: 'Слежу',
      filter: { isCompleted: false, 'watchers.idUser': idUser, not: { or: [mine.executor, mine.responsible] } },
    },
  ]
}

function Section(props: { group: MyGroup; space?: number; closed: boolean; onToggle: () => void }) {
  const { group, space, closed } = props
  const filter: AnyFilter = {
    and: [
      { isArchive: false, isTemplate: false },
      ...myFilters.conditions({ space }),
      { 'assigned.isArchive': false },
      group.filter,
    ],
  }
  const list = useEndlessList(
    Task,
    {
      filter: filter as Filter<typeof Task>,
      sort: 'dateEnd',
      limit: PORTION,
      count: true,
      expand: ['assigned.column.board', 'executors.member.user', 'tags'],
    },
    { forbidden: 'silent', enabled: !closed },
  )
  const loading = list.isPending && !closed
  useRevealDelay(loading)
  const lines = list.items
  const total = totalOf(list.data?.pages[0]?._meta)
  // Today is shown even when empty.
  if (total === 0 && group.key !== 'due-today') return null
  return (
    <ListSection
      title={group.title}
      tone={group.tone}
      closed={closed}
      onToggle={props.onToggle}
      total={total}
      loading={loading}
      error={list.isError && lines.length === 0 ? list.error : null}
      onRetry={() => void list.refetch()}
      hasMore={list.hasNextPage}
      loadingMore={list.isFetchingNextPage}
      onMore={() => void list.fetchNextPage()}
      empty="На сегодня задач нет"
    >
      {lines.map((task) => {
        const cards = task.assigned.filter((one) => one.column)
        const card = cards.find((one) => one.column?.idBoard === space) ?? cards[0]
        return (
          <TaskRow
            key={task.id}
            task={task}
            opens={card?.column ? { board: card.column.idBoard, assignedColumn: card.id } : undefined}
            place={[card?.column?.board?.name, card?.column?.name].filter(Boolean).join(' · ')}
          />
        )
      })}
    </ListSection>
  )
}

/** The open card with its workspace. */
function OpenedCard({ idBoard, idCard, onClose }: { idBoard: number; idCard: number; onClose: () => void }) {
  const data = useBoardData(idBoard)
  const client = useQueryClient()
  const store = useMemo(() => new BoardStore(client, { idBoard, filter: {}, columns: [] }), [client, idBoard])
  if (!data.rights || !data.columns.data) return null
  return <CardDialog key={idCard} idCard={idCard} data={data} rights={data.rights} store={store} onClose={onClose} />
}
