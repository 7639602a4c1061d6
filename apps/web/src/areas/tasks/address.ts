import { type SetAddressOptions, useAddress } from '#base/address.ts'
import { day, id, mark, text, word } from '#base/addressValues.ts'
import type { Search } from '#base/redirect.ts'
import { type TaskFilters, taskFilters } from './taskFilters.tsx'

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

export const spans = { month: 'Месяц', week: 'Неделя', day: 'День' } as const
export type Span = keyof typeof spans

/** Automatic orders of cards, besides the manual one. */
export const cardOrders = {
  due: 'По сроку',
  importance: 'По важности',
  name: 'По названию',
  new: 'Сначала новые',
} as const
export type CardOrder = keyof typeof cardOrders

/** URL parameters of the tasks page. `board` and `assignedColumn` are the specification's names. */
export interface TasksAddress extends TaskFilters {
  board?: number
  /** Id of the open card: the assignment, not the task. */
  assignedColumn?: number
  /** Id of a comment of the open card to scroll to. */
  comment?: number
  view?: BoardView
  /** Lanes of the board, or groups of the list. */
  group?: Grouping
  order?: CardOrder
  /** Calendar: view, and a day in it. */
  span?: Span
  date?: string
  /** Key of the opened saved view. */
  saved?: string
  archive?: true
  /** The dialog of a new workspace is open. */
  open?: 'new'
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
    open: search.open === 'new' ? 'new' : undefined,
    ...taskFilters.read(search),
  }
}

/** Clears all parameters of a workspace, for the list of workspaces. */
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
  open: undefined,
  ...taskFilters.none,
} satisfies Record<keyof TasksAddress, undefined>
