import { Skeleton } from '@mantine/core'
import { overdueToDo, toDo } from '@ordinator/model/areas/tasks/mine'
import { Task } from '@ordinator/model/areas/tasks/task'
import { type AnyFilter, type Filter, totalOf } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { IconAlertTriangle, IconCalendarEvent, IconCalendarTime, IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { dueOf, importanceColor, importanceWord } from '#areas/tasks/index.ts'
import { thisMinute } from '#base/minute.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { dayOf, midnight } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import rowLink from '#kit/rowLink.module.css'
import { VStack } from '#kit/Stacks.tsx'
import { WidgetCard } from '#kit/WidgetCard.tsx'
import { Fine } from '#kit/Words.tsx'
import { useEndlessList } from '#records/reads.ts'
import classes from './DashboardPage.module.css'

const PORTION = 10
const AHEAD_DAYS = 14

/** A task with the card that its link opens. */
interface Line extends Row<typeof Task> {
  assigned: {
    id: number
    idColumn: number
    column: { idBoard: number; name: string; board: { name: string } | null } | null
  }[]
}

/** Tasks of the user as executor or responsible, by due date. */
export function MyTasks() {
  const actor = useActor()
  const day = dayOf(new Date())
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bounds change with the day
  const at = useMemo(bounds, [day])
  const overdue = useMine(overdueToDo(actor.id, at.now))
  const today = useMine({ and: [toDo(actor.id), { dateEnd: { gte: at.now, lt: at.tomorrow } }] })
  const ahead = useMine({ and: [toDo(actor.id), { dateEnd: { gte: at.tomorrow, lt: at.end } }] })
  const all = [overdue, today, ahead]
  const busy = all.some((list) => list.isPending)
  useRevealDelay(busy)
  if (busy)
    return (
      <div aria-busy="true">
        {[1, 2, 3].map((n) => (
          <Skeleton key={n} height={132} radius="md" mb={16} />
        ))}
      </div>
    )
  const failed = all.find((list) => list.isError && list.items.length === 0)
  if (failed)
    return <ErrorState title="Не удалось загрузить задачи" error={failed.error} onRetry={() => void failed.refetch()} />
  if (all.every((list) => list.items.length === 0))
    return (
      <WidgetCard
        title="Мои задачи"
        icon={<IconCircleCheck size={18} />}
        none={
          <>
            Срочных задач нет: ни просроченных, ни тех, чей срок подойдёт за {AHEAD_DAYS} дней.{' '}
            <PageLink page="myTasks">Все мои задачи</PageLink>
          </>
        }
      />
    )
  return (
    <>
      <Group title="Просрочено" icon={<IconAlertTriangle size={18} />} tone="overdue" list={overdue} />
      <Group
        title="Сегодня"
        icon={<IconCalendarEvent size={18} />}
        list={today}
        empty="На сегодня больше ничего не назначено"
      />
      <Group
        title="Скоро"
        icon={<IconCalendarTime size={18} />}
        list={ahead}
        empty="В ближайшие две недели сроков нет"
      />
      <ActionButton label="Все мои задачи" component={Link} to="/tasks/mine" variant="subtle" />
    </>
  )
}

type MineList = ReturnType<typeof useMine>

function useMine(filter: AnyFilter) {
  const list = useEndlessList(Task, {
    filter: filter as Filter<typeof Task>,
    sort: 'dateEnd',
    limit: PORTION,
    count: true,
    expand: ['assigned.column.board'],
  })
  return {
    ...list,
    lines: list.items,
    total: totalOf(list.data?.pages[0]?._meta) ?? 0,
  }
}

interface GroupProps {
  title: string
  icon: ReactNode
  tone?: 'overdue'
  list: MineList
  empty?: string
}

function Group({ title, icon, tone, list, empty }: GroupProps) {
  if (list.lines.length === 0 && !empty) return null
  return (
    <WidgetCard title={title} icon={icon} tone={tone} count={list.total} none={list.lines.length === 0 && empty}>
      <ul>
        {list.lines.map((task) => (
          <TaskLine key={task.id} task={task} />
        ))}
      </ul>
      {list.hasNextPage && (
        <ActionButton
          label="Показать ещё"
          ml={-8}
          variant="subtle"
          size="compact-md"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        />
      )}
    </WidgetCard>
  )
}

function TaskLine({ task }: { task: Line }) {
  const card = task.assigned.find((one) => one.column)
  const due = dueOf(task)
  const place = [card?.column?.board?.name, card?.column?.name].filter(Boolean).join(' · ')
  return (
    <li className={classes.line}>
      <span
        className={classes.bar}
        style={{ background: importanceColor(task.importance) }}
        title={`Важность ${task.importance} из 10, ${importanceWord(task.importance)}`}
      />
      <VStack component="span" gap={0} grow>
        {card?.column ? (
          <PageLink
            page="tasks"
            search={{ board: card.column.idBoard, assignedColumn: card.id }}
            className={rowLink.name}
          >
            {task.name}
          </PageLink>
        ) : (
          <span className={rowLink.name}>{task.name}</span>
        )}
        {place && <Fine truncate>{place}</Fine>}
      </VStack>
      {due && (
        <span className={classes.due} data-state={due.state}>
          {due.text}
        </span>
      )}
    </li>
  )
}

/** Now, next midnight and the end of the outlook, in the user's time zone. */
function bounds() {
  const day = dayOf(new Date())
  return { now: thisMinute(), tomorrow: midnight(day, 1), end: midnight(day, 1 + AHEAD_DAYS) }
}
