import { Assigned, type TaskTag } from '@ordinator/model/areas/tasks/task'
import { type AnyFilter, behind, type Expanded, type Filter, totalOf } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { recordsWith } from '#base/client.ts'
import type { CardPage } from '#kit/board/pages.ts'
import { FIRST_CARDS, pagesOf } from '#records/board/cardStore.ts'
import type { CardOrder, TasksAddress } from './address.ts'
import { type Asker, taskFilters } from './taskFilters.tsx'

export const PAGE = 50
/** Ids per filter, to keep the URL short. */
const IDS = 100

export type CardTag = Pick<Row<typeof TaskTag>, 'id' | 'name' | 'color' | 'icon'>

export const cardExpand = ['task.executors.member.user', 'task.responsible.member.user', 'task.tags'] as const

const person = <const L extends string>(list: L) => [
  ...behind(`task.${list}`, ['idMember', 'member.idUser']),
  ...behind(`task.${list}.member.user`, ['shortFio', 'surname', 'name', 'avatar']),
]

/** Only fields of the card: a board of thousands of cards must not load descriptions. */
export const cardFields = [
  ...(['idTask', 'idColumn', 'order', 'isArchive'] as const),
  ...behind('task', ['name', 'importance', 'isCompleted', 'isWaitCheck', 'isNeedChange', 'isArchive']),
  ...behind('task', ['dateEnd', 'dateWorkStart', 'idUser', 'commentsCount', 'numberOfUnreadComments']),
  ...behind('task', ['subtasksCount', 'subtasksCompletedCount', 'idCover']),
  ...behind('task', ['checkListCount', 'filesCount', 'customersCount']),
  ...behind('task.tags', ['name', 'color', 'icon']),
  ...person('executors'),
  ...person('responsible'),
]

/** A card with the task's fields for the board. */
export type Card = Expanded<typeof Assigned, (typeof cardExpand)[number], (typeof cardFields)[number]>

export type CardFilter = Filter<typeof Assigned>

/** Filter of all columns for the URL. */
export function cardFilter(address: TasksAddress, asker: Asker): CardFilter {
  const all: CardFilter[] = []
  if (address.archive) all.push({ or: [{ isArchive: true }, { 'task.isArchive': true }] })
  else all.push({ isArchive: false, 'task.isArchive': false })
  all.push({ 'task.isTemplate': false })
  all.push(...taskFilters.conditions(address, asker).map((one) => ofCard(one) as CardFilter))
  return { and: all }
}

/** Converts a filter of tasks to one of cards. */
export function ofCard(filter: AnyFilter): AnyFilter {
  return Object.fromEntries(
    Object.entries(filter).map(([name, condition]) => {
      if (name === 'or' || name === 'and') return [name, (condition as AnyFilter[]).map(ofCard)]
      if (name === 'not') return [name, ofCard(condition as AnyFilter)]
      return [`task.${name}`, condition]
    }),
  )
}

export async function readColumn(
  { filter, order }: { filter: CardFilter; order?: CardOrder },
  idColumn: number,
  after: string | undefined,
  signal: AbortSignal,
) {
  const { items, _meta } = await quiet.list(
    Assigned,
    {
      filter: { idColumn, ...filter },
      sort: sortOf(order),
      limit: PAGE,
      after: after ?? '',
      count: after === undefined,
      fields: cardFields,
      expand: cardExpand,
    },
    { signal },
  )
  const page: CardPage<Card> = { items }
  if (_meta.hasMore && _meta.next) page.next = _meta.next
  const total = totalOf(_meta)
  if (total !== undefined) page.total = total
  return page
}

/** The first cards of these columns, or of the whole workspace. */
export async function readFirst(
  { idBoard, filter, order }: { idBoard: number; filter: CardFilter; order?: CardOrder },
  columns: readonly number[] | 'all',
) {
  const found = await quiet.grouped(Assigned, {
    group: columns === 'all' ? { idBoard } : { id: { in: columns } },
    filter,
    sort: sortOf(order),
    limit: FIRST_CARDS,
    count: true,
    fields: cardFields,
    expand: cardExpand,
  })
  return pagesOf<Card>(found)
}

/** Cards by id that match the board's filter; missing ones have left it. */
export async function readCards(
  filter: CardFilter,
  columns: readonly number[],
  by: 'id' | 'idTask',
  ids: readonly number[],
) {
  const found: Card[] = []
  for (let at = 0; at < ids.length; at += IDS) {
    const { items } = await quiet.list(Assigned, {
      filter: { idColumn: { in: columns }, [by]: { in: ids.slice(at, at + IDS) }, ...filter },
      limit: 500,
      fields: cardFields,
      expand: cardExpand,
    })
    found.push(...items)
  }
  return found
}

export async function countColumn(filter: CardFilter, idColumn: number): Promise<number | undefined> {
  const { _meta } = await quiet.list(Assigned, {
    filter: { idColumn, ...filter },
    limit: 0,
    count: true,
    fields: ['id'],
  })
  return totalOf(_meta)
}

/** Errors of a board are shown in its place; background reads show none. */
const quiet = recordsWith({ forbidden: 'silent', quiet: true })

/** Sort parameter of a list of cards. */
export const sortOf = (order: CardOrder | undefined) =>
  order
    ? ({ due: 'task.dateEnd', importance: '-task.importance', name: 'task.name', new: '-id' } as const)[order]
    : 'order'

/** The same order for loaded cards. */
export function compareBy(order: CardOrder | undefined): (a: Card, b: Card) => number {
  if (order === 'due') return (a, b) => moment(a) - moment(b) || a.id - b.id
  if (order === 'importance') return (a, b) => b.task.importance - a.task.importance || b.id - a.id
  if (order === 'name') return (a, b) => a.task.name.localeCompare(b.task.name, 'ru') || a.id - b.id
  if (order === 'new') return (a, b) => b.id - a.id
  return (a, b) => a.order - b.order || a.id - b.id
}

/** Cards without a due date come last. */
const moment = (card: Card) => (card.task.dateEnd ? Date.parse(card.task.dateEnd) : Number.MAX_SAFE_INTEGER)
