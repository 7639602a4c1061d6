import { Box, SegmentedControl, Title } from '@mantine/core'
import { Assigned } from '@ordinator/model/areas/tasks/task'
import { type AnyFilter, totalOf } from '@ordinator/model/client'
import { formatNumber } from '@ordinator/model/format'
import { IconCalendarPlus, IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import Calendar from '#kit/calendar/Calendar.tsx'
import { useCalendarDrag } from '#kit/calendar/drag.ts'
import type { CalendarItem, CalendarPlace } from '#kit/calendar/item.ts'
import { dayOf, momentOf, today } from '#kit/clock.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useEndlessList } from '#records/reads.ts'
import { type SetTasksAddress, type Span, spans, type TasksAddress } from '../address.ts'
import type { BoardRights, ColumnRow } from '../board/useBoardData.ts'
import { type CardFilter, cardExpand, cardFields } from '../cards.ts'
import { importanceColor } from '../importance.ts'
import { NewTask } from '../NewTask.tsx'
import classes from './CalendarView.module.css'
import { Reschedule } from './Reschedule.tsx'
import { type CalendarTask, type Dates, useCalendarTasks } from './useCalendarTasks.ts'

const PORTION = 30
/** Default working hours of a day. */
const [MORNING, EVENING] = [9, 18]

interface Props {
  idBoard: number
  columns: readonly ColumnRow[]
  rights: BoardRights
  /** For tasks in the calendar, and for cards without dates. */
  filter: AnyFilter
  cardFilter: CardFilter
  address: TasksAddress
  setAddress: SetTasksAddress
}

/** Calendar of tasks, with undated ones to drag in. */
export default function CalendarView({ idBoard, columns, rights, filter, cardFilter, address, setAddress }: Props) {
  const span = address.span ?? 'month'
  const date = address.date ?? today()
  const days = useMemo(() => daysOf(span, date), [span, date])
  const { answer, reschedule } = useCalendarTasks(idBoard, days, filter, address.archive === true)
  const tasks = answer.data?.items ?? none
  const [creating, setCreating] = useState<Dates>()
  const [moving, setMoving] = useState<Pick<CalendarTask, 'id' | 'name'> & Dates>()
  const undated = useEndlessList(
    Assigned,
    {
      filter: {
        and: [
          cardFilter,
          {
            idColumn: { in: columns.map((column) => column.id) },
            'task.dateEnd': { null: true },
            'task.dateStart': { null: true },
            'task.isCompleted': false,
          },
        ],
      },
      sort: '-id',
      limit: PORTION,
      count: true,
      fields: cardFields,
      expand: cardExpand,
    },
    { forbidden: 'silent' },
  )
  const cards = undated.items
  const taskOf = (id: number) => tasks.find((task) => task.id === id)

  // A task that has just lost its dates, by an undo or another user, is still in the answer.
  const items = useMemo(
    () => tasks.filter(({ dateStart, dateEnd }) => dateStart ?? dateEnd).map((task) => itemOf(task, rights)),
    [tasks, rights],
  )
  const go = (way: 1 | -1) => setAddress({ date: textOf(stepped(dateOf(date), span, way)) })
  const move = (id: number, place: CalendarPlace) => {
    const task = taskOf(id)
    if (task) void reschedule(id, datesOf(task), movedTo(task, place))
  }
  const onMenu = (id: number) => {
    const task = taskOf(id)
    if (task && rights.task('edit', task)) setMoving({ id, name: task.name, ...datesOf(task) })
  }

  return (
    <div className={classes.view}>
      <div className={classes.main}>
        <HStack wrap pb={12}>
          <ActionButton label="Сегодня" variant="default" onClick={() => setAddress({ date: undefined })} />
          <IconButton icon={IconChevronLeft} variant="default" size={32} label="Раньше" onClick={() => go(-1)} />
          <IconButton icon={IconChevronRight} variant="default" size={32} label="Позже" onClick={() => go(1)} />
          <h2 className={classes.title} aria-live="polite">
            {titleOf(span, date)}
          </h2>
          {answer.data?.hasMore && <Fine>Показаны первые 500 задач</Fine>}
          <Box component="span" flex={1} />
          {rights.createTask && (
            <ActionButton
              label="Задача"
              variant="light"
              icon={IconPlus}
              onClick={() => setCreating({ dateStart: null, dateEnd: at(date, EVENING) })}
            />
          )}
          <SegmentedControl
            aria-label="Что показать"
            data={Object.entries(spans).map(([value, label]) => ({ value, label }))}
            value={span}
            onChange={(value) => setAddress({ span: value === 'month' ? undefined : (value as Span) })}
          />
        </HStack>
        {answer.isError && !answer.data ? (
          <ErrorState
            title="Ошибка получения данных для календаря"
            error={answer.error}
            onRetry={() => void answer.refetch()}
            retrying={answer.isFetching}
          />
        ) : (
          <div className={classes.grid} aria-busy={answer.isFetching}>
            <Calendar
              span={span}
              date={date}
              items={items}
              onOpen={(id) => setAddress({ assignedColumn: taskOf(id)?.assigned[0]?.id })}
              onMenu={onMenu}
              onMove={move}
              onSelect={rights.createTask ? (place) => setCreating(chosen(place)) : undefined}
              onReceive={(id, place) => {
                const { start } = place
                const dateEnd = place.allDay ? at(dayOf(start), EVENING) : start.toISOString()
                void reschedule(id, nothing, { dateStart: null, dateEnd })
              }}
            />
          </div>
        )}
      </div>
      <aside className={classes.side} aria-label="Задачи без срока">
        <Title order={2} size="h3">
          Без срока <Fine>{formatNumber(totalOf(undated.data?.pages[0]?._meta))}</Fine>
        </Title>
        {cards.length === 0 && !undated.isPending && <Fine component="p">У всех задач есть срок</Fine>}
        <VStack component="ul">
          {cards.map((card) => {
            const may = rights.task('edit', card.task)
            return (
              <UndatedCard key={card.id} idTask={card.idTask} movable={may}>
                <span className={classes.bar2} style={{ background: importanceColor(card.task.importance) }} />
                <button type="button" className={classes.name} onClick={() => setAddress({ assignedColumn: card.id })}>
                  {card.task.name}
                </button>
                {may && (
                  <IconButton
                    icon={IconCalendarPlus}
                    size={28}
                    label={`Назначить срок задаче «${card.task.name}»`}
                    onClick={() => setMoving({ id: card.idTask, name: card.task.name, ...nothing })}
                  />
                )}
              </UndatedCard>
            )
          })}
        </VStack>
        {undated.hasNextPage && (
          <ActionButton
            label="Показать ещё"
            variant="subtle"
            size="compact-md"
            loading={undated.isFetchingNextPage}
            onClick={() => void undated.fetchNextPage()}
          />
        )}
      </aside>
      {creating && <NewTask columns={columns} dates={creating} onClose={() => setCreating(undefined)} />}
      {moving && (
        <Reschedule
          name={moving.name}
          dates={moving}
          onSave={(after) => reschedule(moving.id, { dateStart: moving.dateStart, dateEnd: moving.dateEnd }, after)}
          onClose={() => setMoving(undefined)}
        />
      )}
    </div>
  )
}

/** A task without dates, dragged into the calendar. */
function UndatedCard({ idTask, movable, children }: { idTask: number; movable: boolean; children: ReactNode }) {
  const card = useRef<HTMLLIElement>(null)
  useCalendarDrag(card, idTask, movable)
  return (
    <li ref={card} className={classes.card} data-drag={movable || undefined}>
      {children}
    </li>
  )
}

const none: never[] = []
const nothing: Dates = { dateStart: null, dateEnd: null }
const datesOf = ({ dateStart, dateEnd }: CalendarTask): Dates => ({ dateStart, dateEnd })

function itemOf(task: CalendarTask, rights: BoardRights): CalendarItem {
  const { dateStart, dateEnd } = task
  return {
    id: task.id,
    title: task.name,
    start: (dateStart ?? dateEnd) as string,
    ...(dateStart && dateEnd && dateEnd > dateStart && { end: dateEnd }),
    color: importanceColor(task.importance),
    movable: rights.task('edit', task),
    done: task.isCompleted,
  }
}

/** A task with one date keeps one unless resized. */
function movedTo({ dateStart, dateEnd }: CalendarTask, { start, end }: CalendarPlace): Dates {
  const first = start.toISOString()
  if (end) return { dateStart: first, dateEnd: end.toISOString() }
  if (dateStart && dateEnd) return { dateStart: first, dateEnd: first }
  return dateStart ? { dateStart: first, dateEnd: null } : { dateStart: null, dateEnd: first }
}

/** Dates of an empty selection: one day is a due date in the evening; several last from morning to evening. */
function chosen({ start, end, allDay }: CalendarPlace): Dates {
  if (!allDay || !end) return { dateStart: start.toISOString(), dateEnd: end?.toISOString() ?? null }
  // The end is exclusive: midnight after the last day.
  const [first, last] = [dayOf(start), dayOf(new Date(end.getTime() - 1))]
  return { dateStart: last <= first ? null : at(first, MORNING), dateEnd: at(last, EVENING) }
}

const at = (day: string, hour: number): string => momentOf(day, `${String(hour).padStart(2, '0')}:00`)

/** A date for day arithmetic, not a moment. */
function dateOf(text: string): Date {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date)
}

const textOf = (day: Date): string =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((n) => String(n).padStart(2, '0')).join('-')

function stepped(day: Date, span: Span, way: 1 | -1): Date {
  if (span === 'month') return new Date(day.getFullYear(), day.getMonth() + way, 1)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + way * (span === 'week' ? 7 : 1))
}

/** Days to load: all visible ones, and one more at each end for other time zones. */
function daysOf(span: Span, date: string): { dateStart: string; dateEnd: string } {
  const day = dateOf(date)
  const of = (first: Date, length: number) => ({
    dateStart: textOf(new Date(first.getFullYear(), first.getMonth(), first.getDate() - 1)),
    dateEnd: textOf(new Date(first.getFullYear(), first.getMonth(), first.getDate() + length)),
  })
  if (span === 'day') return of(day, 1)
  const first = span === 'month' ? new Date(day.getFullYear(), day.getMonth(), 1) : day
  const monday = new Date(first.getFullYear(), first.getMonth(), first.getDate() - ((first.getDay() + 6) % 7))
  return of(monday, span === 'week' ? 7 : 42)
}

function titleOf(span: Span, date: string): string {
  const day = dateOf(date)
  const text = (options: Intl.DateTimeFormatOptions) => day.toLocaleDateString('ru-RU', options)
  if (span === 'day') return text({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  if (span === 'month') return text({ month: 'long', year: 'numeric' }).replace(/ г\.$/, '')
  const monday = new Date(day.getFullYear(), day.getMonth(), day.getDate() - ((day.getDay() + 6) % 7))
  const sunday = new Date(monday.getFullYear(), monday.getMonth(), monday.getDate() + 6)
  return new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', year: 'numeric' }).formatRange(
    monday,
    sunday,
  )
}
