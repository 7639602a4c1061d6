import { Select } from '@mantine/core'
import { Task, TaskTag } from '@ordinator/model/areas/tasks/task'
import type { AnyFilter } from '@ordinator/model/client'
import { day, word } from '#base/addressValues.ts'
import { dayOf, midnight } from '#kit/clock.ts'
import { personName } from '#kit/UserAvatar.tsx'
import { choice, one } from '#records/filters/choice.tsx'
import { filterInputProps } from '#records/filters/filterInput.ts'
import { type FilterKind, filters, type ValuesOf } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { Days, periodText } from '#records/filters/period.tsx'
import { range } from '#records/filters/range.tsx'
import { among } from '#records/filters/ref.tsx'
import { search } from '#records/filters/search.ts'
import { words } from '#records/filters/words.tsx'
import type { MemberRow } from './people.ts'

const stateWords = {
  new: 'Новые',
  work: 'В работе',
  wait: 'На проверке',
  change: 'Нужны правки',
  completed: 'Завершённые',
  late: 'Просроченные',
} as const

const dueWords = {
  late: 'Просрочено',
  today: 'Сегодня',
  week: 'Семь дней',
  none: 'Без срока',
  period: 'Период…',
} as const

/** The user for «Только мои», and the reference time for lateness and days. */
export interface Asker {
  idUser: number
  idMember?: number
  now: Date
}

/** Workspace data for the inputs. */
export interface Workspace {
  idBoard: number
  members: readonly MemberRow[]
}

const member = (by: 'id' | 'idUser', label: string) => ({
  label,
  known: ({ members }: Workspace) => members.map((one) => ({ id: one[by], label: personName(one.user ?? {}) })),
  gone: 'бывший участник',
})

/** Filters of tasks. */
export const taskFilters = filters(Task, {
  q: search(['text'], {
    label: 'Поиск задачи',
    placeholder: 'Найти в задачах',
    hotkey: { label: 'Поиск по доске', group: 'Доска' },
  }),
  executor: among('executors.idMember', member('id', 'Исполнитель')),
  responsible: among('responsible.idMember', member('id', 'Ответственный')),
  creator: among('idUser', member('idUser', 'Создатель')),
  people: one({
    label: 'Люди',
    options: { with: 'Есть', without: 'Нет' },
    is: (wanted) => ({ usersTotalCount: wanted === 'with' ? { gt: 0 } : 0 }),
    any: 'Всё равно',
    chips: { with: 'Есть люди', without: 'Без людей' },
    segments: true,
  }),
  state: choice(undefined, {
    label: 'Состояние',
    options: stateWords,
    is: (state, { now }: Asker) => stateFilter(state, now),
    any: 'Любое',
  }),
  tags: words('tags.name', {
    label: 'Метки',
    of: TaskTag,
    among: ({ idBoard }: Workspace) => ({ 'task.assigned.column.idBoard': idBoard }),
  }),
  importance: range('importance', { label: 'Важность', min: 1, max: 10 }),
  due: due(),
  mine: flag('Только мои', mineFilter, { toggle: true }),
  unread: flag(
    'Непрочитанные комментарии',
    { numberOfUnreadComments: { gt: 0 } },
    { panel: 'С непрочитанными комментариями' },
  ),
})
export type TaskFilters = ValuesOf<typeof taskFilters>

interface Due {
  '': keyof typeof dueWords
  /** Days of the period, `YYYY-MM-DD`. */
  from: string
  to: string
}

/** Filter by due date: a keyword; one of them is a period. */
function due(): FilterKind<Due, { from: 'from'; to: 'to' }, Asker, unknown> {
  return {
    label: 'Срок',
    names: { from: 'from', to: 'to' },
    parts: { '': (given) => word(dueWords, given), from: day, to: day },
    isOn: (value) => value[''] !== undefined,
    conditions: (value, { context }) => [dueFilter(value, context.now)],
    text: ({ '': due, from, to }) =>
      `Срок: ${due === 'period' ? periodText(from, to) || 'указан' : due ? dueWords[due].toLowerCase() : ''}`,
    input: (props) => {
      const { '': due, from, to } = props.value
      const set = (wanted: Due[''] | undefined) =>
        props.onChange({ '': wanted, ...(wanted !== 'period' && { from: undefined, to: undefined }) })
      return (
        <>
          <Select
            {...filterInputProps(props, 'Любой', true)}
            clearable
            data={Object.entries(dueWords).map(([value, label]) => ({ value, label }))}
            value={due ?? null}
            onChange={(wanted) => set((wanted ?? undefined) as Due[''] | undefined)}
          />
          {due === 'period' && (
            <Days
              label="С"
              from={from}
              to={to}
              onFrom={(day) => props.onChange({ from: day })}
              onTo={(day) => props.onChange({ to: day })}
            />
          )}
        </>
      )
    },
    toggle: { label: 'Просроченные', value: { '': 'late' } },
  }
}

const open = { isCompleted: false, isWaitCheck: false }

/** Must match the model's `stateOf`. */
function stateFilter(state: keyof typeof stateWords, now: Date): AnyFilter {
  if (state === 'completed') return { isCompleted: true }
  if (state === 'wait') return { isCompleted: false, isWaitCheck: true }
  if (state === 'change') return { ...open, isNeedChange: true }
  if (state === 'late') return lateFilter(now)
  const untouched = { dateWorkStart: { null: true }, isNeedChange: false }
  return state === 'new' ? { ...open, ...untouched } : { ...open, not: untouched }
}

const lateFilter = (now: Date): AnyFilter => ({ ...open, dateEnd: { lt: now.toISOString() } })

function dueFilter({ '': due, from, to }: Partial<Due>, now: Date): AnyFilter {
  if (due === 'late') return lateFilter(now)
  if (due === 'none') return { dateEnd: { null: true } }
  if (due === 'today') return { dateEnd: { gte: midnight(dayOf(now)), lt: midnight(dayOf(now), 1) } }
  if (due === 'week') return { dateEnd: { gte: midnight(dayOf(now)), lt: midnight(dayOf(now), 7) } }
  return {
    dateEnd: { ...(from && { gte: midnight(from) }), ...(to && { lt: midnight(to, 1) }), null: false },
  }
}

function mineFilter({ idUser, idMember }: Asker): AnyFilter {
  const own: AnyFilter[] = [{ idUser }]
  if (idMember) own.push({ 'executors.idMember': idMember }, { 'responsible.idMember': idMember })
  return { or: own }
}
