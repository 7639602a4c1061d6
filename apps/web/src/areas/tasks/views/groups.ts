import type { AnyFilter } from '@ordinator/model/client'
import { dayOf, midnight } from '#kit/clock.ts'
import { personName } from '#kit/UserAvatar.tsx'
import type { Grouping } from '../address.ts'
import type { ColumnRow } from '../board/useBoardData.ts'
import { importanceColor, importanceWord } from '../importance.ts'
import type { MemberRow, Person } from '../people.ts'

/** Value set by moving a task into a group; absent: not possible manually. */
export type GroupValue =
  | { kind: 'executors' | 'responsible'; member: MemberRow | undefined }
  | { kind: 'importance'; importance: number }

/** A lane of the board, or a section of the list. */
export interface TaskGroup {
  key: string
  title: string
  /** For tasks; for cards if the groups are columns. */
  filter: AnyFilter
  ofCards?: true
  value?: GroupValue
  color?: string
  user?: Person | null
}

interface Known {
  columns: readonly ColumnRow[]
  members: readonly MemberRow[]
  tags: readonly { name: string; color: string }[]
  idUser: number
  now: Date
}

export function groupsOf(grouping: Grouping, known: Known): TaskGroup[] {
  if (grouping === 'column')
    return known.columns.map(({ id, name, color }) => ({
      key: `column-${id}`,
      title: name,
      color,
      filter: { idColumn: id },
      ofCards: true as const,
    }))
  if (grouping === 'executor') return ofPeople('executors', 'Без исполнителя', known)
  if (grouping === 'responsible') return ofPeople('responsible', 'Без ответственного', known)
  if (grouping === 'importance')
    return [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((importance) => ({
      key: `importance-${importance}`,
      title: `Важность ${importance}, ${importanceWord(importance)}`,
      color: importanceColor(importance),
      filter: { importance },
      value: { kind: 'importance', importance },
    }))
  if (grouping === 'tag')
    return [
      ...known.tags.map(({ name, color }) => ({
        key: `tag-${name}`,
        title: name,
        color,
        filter: { 'tags.name': name },
      })),
      { key: 'tag-none', title: 'Без меток', filter: { not: { 'tags.id': { gt: 0 } } } },
    ]
  return dueGroups(known.now)
}

/** The user first, the others by name. */
function ofPeople(kind: 'executors' | 'responsible', none: string, { members, idUser }: Known): TaskGroup[] {
  const sorted = [...members].sort(
    (a, b) =>
      Number(b.idUser === idUser) - Number(a.idUser === idUser) ||
      personName(a.user ?? {}).localeCompare(personName(b.user ?? {}), 'ru'),
  )
  return [
    ...sorted.map((member) => ({
      key: `${kind}-${member.id}`,
      title: personName(member.user ?? {}),
      user: member.user,
      filter: { [`${kind}.idMember`]: member.id },
      value: { kind, member },
    })),
    {
      key: `${kind}-none`,
      title: none,
      filter: { not: { [`${kind}.idMember`]: { gt: 0 } } },
      value: { kind, member: undefined },
    },
  ]
}

export function dueGroups(now: Date): (TaskGroup & { tone?: 'late' })[] {
  const open = { isCompleted: false }
  const between = (from: number, to: number) => ({
    ...open,
    dateEnd: { gte: midnight(dayOf(now), from), lt: midnight(dayOf(now), to) },
  })
  return [
    { key: 'due-late', title: 'Просрочено', tone: 'late', filter: { ...open, dateEnd: { lt: now.toISOString() } } },
    {
      key: 'due-today',
      title: 'Сегодня',
      filter: { ...open, dateEnd: { gte: now.toISOString(), lt: midnight(dayOf(now), 1) } },
    },
    { key: 'due-tomorrow', title: 'Завтра', filter: between(1, 2) },
    { key: 'due-week', title: 'В ближайшие семь дней', filter: between(2, 7) },
    { key: 'due-later', title: 'Позже', filter: { ...open, dateEnd: { gte: midnight(dayOf(now), 7) } } },
    { key: 'due-none', title: 'Без срока', filter: { ...open, dateEnd: { null: true } } },
    { key: 'due-done', title: 'Завершённые', filter: { isCompleted: true } },
  ]
}
