import { type SetAddressOptions, useAddress } from '../../app/address.ts'
import type { Search } from '../../app/redirect.ts'

/** What the address of the tasks page holds. `board` and `assignedColumn` are the specification's names. */
export interface TasksAddress {
  board?: number
  /** Id of the open card: the assignment, not the task. */
  assignedColumn?: number
  /** Id of a comment of the open card, which a link leads to. */
  comment?: number
  /** Text sought in the names. */
  q?: string
  /** Id of a member. */
  executor?: number
  /** The lowest importance. */
  importance?: number
  /** Names of tags; any of them. */
  tags?: string[]
  overdue?: true
  mine?: true
  archive?: true
}

export type SetTasksAddress = (patch: Partial<TasksAddress>, options?: SetAddressOptions) => void

export const useTasksAddress = (): [TasksAddress, SetTasksAddress] => useAddress(readAddress)

export function readAddress(search: Search): TasksAddress {
  return {
    board: id(search.board),
    assignedColumn: id(search.assignedColumn),
    comment: id(search.comment),
    q: text(search.q),
    executor: id(search.executor),
    importance: between(search.importance, 2, 10),
    tags: names(search.tags),
    overdue: mark(search.overdue),
    mine: mark(search.mine),
    archive: mark(search.archive),
  }
}

/** The filters taken off, for «Сбросить». */
export const noFilters = {
  q: undefined,
  executor: undefined,
  importance: undefined,
  tags: undefined,
  overdue: undefined,
  mine: undefined,
} satisfies Partial<TasksAddress>

export const isFiltered = (address: TasksAddress): boolean =>
  Object.keys(noFilters).some((name) => address[name as keyof TasksAddress] !== undefined)

const id = (value: unknown) => between(value, 1, Number.MAX_SAFE_INTEGER)

function between(value: unknown, min: number, max: number): number | undefined {
  const number = Number(value)
  return value !== '' && Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

const text = (value: unknown) => (value === undefined || value === null || value === '' ? undefined : String(value))

function names(value: unknown): string[] | undefined {
  const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
  const found = list.filter(Boolean)
  return found.length ? found : undefined
}

const mark = (value: unknown): true | undefined => (value === true || value === 1 || value === '1' ? true : undefined)
