import { type SetAddressOptions, useAddress } from '../../base/address.ts'
import { between, day, id, listOf, mark, text, word } from '../../base/addressValues.ts'
import type { Search } from '../../base/redirect.ts'

export const boardViews = { board: 'Доска', list: 'Список', table: 'Таблица', calendar: 'Календарь' } as const
export type BoardView = keyof typeof boardViews

export const groupings = {
  column: 'Колонка',
  executor: 'Исполнитель',
  responsible: 'Ответственный',
  importance: 'Важность',
  tag: 'Метка',
  due: 'Срок',
} as const
export type Grouping = keyof typeof groupings

export const stateWords = {
  new: 'Новые',
  work: 'В работе',
  wait: 'На проверке',
  change: 'Нужны правки',
  completed: 'Завершённые',
  late: 'Просроченные',
} as const
export type StateWord = keyof typeof stateWords

export const dueWords = {
  late: 'Просрочено',
  today: 'Сегодня',
  week: 'Семь дней',
  none: 'Без срока',
  period: 'Период…',
} as const
export type DueWord = keyof typeof dueWords

export const spans = { month: 'Месяц', week: 'Неделя', day: 'День' } as const
export type Span = keyof typeof spans

/** Orders of cards other than the one that people give them by hand. */
export const cardOrders = {
  due: 'По сроку',
  importance: 'По важности',
  name: 'По названию',
  new: 'Сначала новые',
} as const
export type CardOrder = keyof typeof cardOrders

/** What narrows the tasks that are shown. */
export interface TaskFilters {
  /** Text sought in names, descriptions and comments. */
  q?: string
  /** Ids of members; any of them. */
  executor?: number[]
  responsible?: number[]
  /** Ids of users. */
  creator?: number[]
  /** Names of tags; any of them. */
  tags?: string[]
  importance?: number
  importanceTo?: number
  state?: StateWord[]
  due?: DueWord
  /** Days of the period, `YYYY-MM-DD`. */
  from?: string
  to?: string
  people?: 'with' | 'without'
  unread?: true
  mine?: true
}

/** What the address of the tasks page holds. `board` and `assignedColumn` are the specification's names. */
export interface TasksAddress extends TaskFilters {
  board?: number
  /** Id of the open card: the assignment, not the task. */
  assignedColumn?: number
  /** Id of a comment of the open card, which a link leads to. */
  comment?: number
  view?: BoardView
  /** Lanes of the board, groups of the list. */
  group?: Grouping
  order?: CardOrder
  /** Of the calendar: what it shows and a day in it. */
  span?: Span
  date?: string
  /** Key of the saved view that was opened. */
  saved?: string
  archive?: true
}

export type SetTasksAddress = (patch: Partial<TasksAddress>, options?: SetAddressOptions) => void

export const useTasksAddress = (): [TasksAddress, SetTasksAddress] => useAddress(readAddress)

export function readAddress(search: Search): TasksAddress {
  return {
    board: id(search.board),
    assignedColumn: id(search.assignedColumn),
    comment: id(search.comment),
    view: word(boardViews, search.view),
    group: word(groupings, search.group),
    order: word(cardOrders, search.order),
    span: word(spans, search.span),
    date: day(search.date),
    saved: text(search.saved),
    archive: mark(search.archive),
    ...readFilters(search),
  }
}

/** The filters alone, of an address or of a saved view. */
export function readFilters(search: Search): TaskFilters {
  return {
    q: text(search.q),
    executor: listOf(search.executor, id),
    responsible: listOf(search.responsible, id),
    creator: listOf(search.creator, id),
    tags: listOf(search.tags, text),
    importance: between(search.importance, 2, 10),
    importanceTo: between(search.importanceTo, 1, 9),
    state: listOf(search.state, (one) => word(stateWords, one)),
    due: word(dueWords, search.due),
    from: day(search.from),
    to: day(search.to),
    people: word({ with: '', without: '' }, search.people),
    unread: mark(search.unread),
    mine: mark(search.mine),
  }
}

/** The filters taken off, for «Сбросить». */
export const noFilters = {
  q: undefined,
  executor: undefined,
  responsible: undefined,
  creator: undefined,
  tags: undefined,
  importance: undefined,
  importanceTo: undefined,
  state: undefined,
  due: undefined,
  from: undefined,
  to: undefined,
  people: undefined,
  unread: undefined,
  mine: undefined,
} satisfies Record<keyof TaskFilters, undefined>

/** The way back to the list of workspaces: nothing of the one that is left stays in the address. */
export const noBoard = {
  board: undefined,
  assignedColumn: undefined,
  comment: undefined,
  view: undefined,
  group: undefined,
  order: undefined,
  span: undefined,
  date: undefined,
  saved: undefined,
  archive: undefined,
  ...noFilters,
} satisfies Record<keyof TasksAddress, undefined>

export const isFiltered = (address: TaskFilters): boolean => filterCount(address) > 0

/** How many filters are on; both ends of a period or of an importance are one. */
export const filterCount = (address: TaskFilters): number =>
  Object.keys(noFilters).filter((name) => {
    if (name === 'from' || name === 'to') return false
    if (name === 'importanceTo' && address.importance !== undefined) return false
    return address[name as keyof TaskFilters] !== undefined
  }).length
