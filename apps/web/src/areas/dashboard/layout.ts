/** Blocks of the dashboard, with order and widths; the default depends on the rights. */
import { type Actor, holds } from '@ordinator/model/access'
import { isReportWidget, type ReportWidgetKey, reportWidgets } from '@ordinator/model/areas/reports/widgets'
import { type PageKey, pageAllowed, pageByKey } from '@ordinator/model/pages'
import { reportAt } from '#base/reports.ts'

/** Thirds of the row. */
export type Width = 1 | 2 | 3
export interface Place {
  key: string
  width: Width
}

interface Block {
  title: string
  width: Width
  /** True when the block has something for this user. */
  isFor(actor: Actor): boolean
}

/** True for users who may open the page. */
const opens = (page: PageKey) => (actor: Actor) => pageAllowed(pageByKey(page), actor)
const books = (actor: Actor) => holds(actor, 'createAppointments') || holds(actor, 'viewAllAppointments')

/** Blocks rendered by areas. */
export const ownBlocks = {
  today: { title: 'Записи сегодня', width: 2, isFor: books },
  myVisits: { title: 'Мои приёмы', width: 1, isFor: (actor) => holds(actor, 'viewCalendar') },
  conversations: {
    title: 'Звонки и чаты',
    width: 2,
    isFor: (actor) => holds(actor, 'viewCallJournal') || holds(actor, 'supportOperator'),
  },
  cash: { title: 'Касса', width: 1, isFor: opens('cash') },
  tasks: { title: 'Мои задачи', width: 2, isFor: (actor) => holds(actor, 'viewTasksManagement') },
  boards: { title: 'Избранные пространства', width: 1, isFor: (actor) => holds(actor, 'viewTasksManagement') },
  news: { title: 'Новости', width: 1, isFor: () => true },
  plan: { title: 'План и факт месяца', width: 1, isFor: opens('kpiAnalysis') },
  laboratory: { title: 'Лаборатория', width: 2, isFor: opens('laboratory') },
  stock: { title: 'Склад', width: 2, isFor: opens('warehouse') },
  exchange: { title: 'ЕГИСЗ', width: 1, isFor: opens('egiszOperations') },
  leaves: { title: 'Больничные', width: 1, isFor: opens('sickLeaves') },
} as const satisfies Readonly<Record<string, Block>>
export type OwnBlockKey = keyof typeof ownBlocks
export const isOwnBlock = (key: string): key is OwnBlockKey => Object.hasOwn(ownBlocks, key)

export const titleOf = (key: string): string =>
  isOwnBlock(key) ? ownBlocks[key].title : isReportWidget(key) ? reportWidgets[key].title : key

/** True when the user may see the block's content. */
export function isOpen(actor: Actor, key: string): boolean {
  if (isOwnBlock(key)) return ownBlocks[key].isFor(actor)
  if (!isReportWidget(key)) return false
  const report = reportAt(reportWidgets[key].report)
  return report !== undefined && pageAllowed(pageByKey(report.page), actor)
}

/** Blocks available to the user. */
export const offered = (actor: Actor): string[] =>
  [...Object.keys(ownBlocks), ...Object.keys(reportWidgets)].filter((key) => isOpen(actor, key))

const place = (key: OwnBlockKey | ReportWidgetKey, width: Width): Place => ({ key, width })

/** Defaults by role: head, accountant, doctor, laboratory, storekeeper, others. */
const presets: readonly { isFor(actor: Actor): boolean; places: readonly Place[] }[] = [
  {
    isFor: (actor) => holds(actor, 'viewKpiReport'),
    places: [
      place('revenueToday', 1),
      place('revenueMonth', 2),
      place('today', 2),
      place('plan', 1),
      place('myVisits', 1),
      place('visits', 1),
      place('funnel', 1),
      place('load', 1),
      place('conversations', 2),
      place('debts', 1),
      place('tasks', 2),
      place('boards', 1),
      place('news', 1),
      place('violations', 1),
      place('deals', 1),
      place('birthdays', 1),
    ],
  },
  {
    isFor: (actor) => holds(actor, 'viewPaymentsReport'),
    places: [
      place('revenueToday', 1),
      place('revenueMonth', 2),
      place('payments', 1),
      place('debts', 1),
      place('plan', 1),
      place('sources', 1),
      place('tasks', 2),
      place('boards', 1),
      place('news', 1),
    ],
  },
  {
    isFor: (actor) => holds(actor, 'editExaminations'),
    places: [
      place('myVisits', 1),
      place('today', 2),
      place('examinations', 1),
      place('leaves', 1),
      place('visits', 1),
      place('plans', 1),
      place('tasks', 2),
      place('boards', 1),
      place('news', 1),
    ],
  },
  {
    isFor: (actor) => holds(actor, 'enterLabResults'),
    places: [place('laboratory', 3), place('tasks', 2), place('boards', 1), place('news', 1)],
  },
  {
    isFor: (actor) => holds(actor, 'editWarehouse'),
    places: [place('stock', 3), place('tasks', 2), place('boards', 1), place('news', 1)],
  },
  {
    isFor: () => true,
    places: [
      place('today', 2),
      place('myVisits', 1),
      place('cash', 1),
      place('conversations', 2),
      place('laboratory', 2),
      place('calls', 1),
      place('deals', 1),
      place('birthdays', 1),
      place('tasks', 2),
      place('boards', 1),
      place('news', 1),
    ],
  },
]

/** Default layout of the user. */
export const presetOf = (actor: Actor): Place[] =>
  (presets.find(({ isFor }) => isFor(actor))?.places ?? []).filter(({ key }) => isOpen(actor, key))

export interface Layout {
  /** null: the default. */
  places: Place[] | null
}

/** Parses a stored layout; unknown blocks are dropped. */
export function readLayout(stored: unknown): Layout {
  const places = (stored as { places?: unknown } | null)?.places
  if (!Array.isArray(places)) return { places: null }
  const seen = new Set<string>()
  return {
    places: places.flatMap((one: Partial<Place> | null) => {
      const { key, width } = one ?? {}
      if (typeof key !== 'string' || seen.has(key) || !(isOwnBlock(key) || isReportWidget(key))) return []
      seen.add(key)
      return [{ key, width: width === 1 || width === 3 ? width : 2 }]
    }),
  }
}

/** Moves a block by one position; no change at the ends. */
export function moved(places: readonly Place[], key: string, by: -1 | 1): Place[] {
  const at = places.findIndex((one) => one.key === key)
  const to = at + by
  const next = [...places]
  const [here, there] = [places[at], places[to]]
  if (here && there) [next[at], next[to]] = [there, here]
  return next
}

/** Moves a block before another position; beyond the end it becomes the last. */
export function put(places: readonly Place[], from: number, to: number): Place[] {
  const block = places[from]
  if (!block) return [...places]
  const next = places.toSpliced(from, 1)
  return next.toSpliced(from < to ? to - 1 : to, 0, block)
}

/** Cycles the width of a block: one, two, three thirds. */
export const widened = (places: readonly Place[], key: string): Place[] =>
  places.map((one) => (one.key === key ? { key, width: ((one.width % 3) + 1) as Width } : one))
