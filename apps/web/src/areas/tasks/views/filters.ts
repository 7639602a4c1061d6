import type { AnyFilter } from '@ordinator/model/client'
import type { StateWord, TaskFilters } from '../address.ts'

/** Who asks: for «Только мои». */
export interface Asker {
  idUser: number
  idMember?: number
}

/** The filter of tasks that an address stands for. `now`: the moment from which lateness and days are reckoned. */
export function taskFilter(wanted: TaskFilters, asker: Asker, now: Date): AnyFilter[] {
  const all: AnyFilter[] = []
  if (wanted.q) all.push({ text: { ilike: wanted.q } })
  if (wanted.executor) all.push({ 'executors.idMember': { in: wanted.executor } })
  if (wanted.responsible) all.push({ 'responsible.idMember': { in: wanted.responsible } })
  if (wanted.creator) all.push({ idUser: { in: wanted.creator } })
  if (wanted.tags) all.push({ 'tags.name': { in: wanted.tags } })
  if (wanted.importance) all.push({ importance: { gte: wanted.importance } })
  if (wanted.importanceTo) all.push({ importance: { lte: wanted.importanceTo } })
  if (wanted.state) all.push({ or: wanted.state.map((state) => stateFilter(state, now)) })
  if (wanted.due) all.push(dueFilter(wanted, now))
  if (wanted.people) all.push({ usersTotalCount: wanted.people === 'with' ? { gt: 0 } : 0 })
  if (wanted.unread) all.push({ numberOfUnreadComments: { gt: 0 } })
  if (wanted.mine) all.push(mineFilter(asker))
  return all
}

/** The same of the cards of tasks. */
export function ofCard(filter: AnyFilter): AnyFilter {
  return Object.fromEntries(
    Object.entries(filter).map(([name, condition]) => {
      if (name === 'or' || name === 'and') return [name, (condition as AnyFilter[]).map(ofCard)]
      if (name === 'not') return [name, ofCard(condition as AnyFilter)]
      return [`task.${name}`, condition]
    }),
  )
}

const open = { isCompleted: false, isWaitCheck: false }

/** As `stateOf` of the model tells them apart. */
function stateFilter(state: StateWord, now: Date): AnyFilter {
  if (state === 'completed') return { isCompleted: true }
  if (state === 'wait') return { isCompleted: false, isWaitCheck: true }
  if (state === 'change') return { ...open, isNeedChange: true }
  if (state === 'late') return lateFilter(now)
  const untouched = { dateWorkStart: { null: true }, isNeedChange: false }
  return state === 'new' ? { ...open, ...untouched } : { ...open, not: untouched }
}

const lateFilter = (now: Date): AnyFilter => ({ ...open, dateEnd: { lt: now.toISOString() } })

function dueFilter({ due, from, to }: TaskFilters, now: Date): AnyFilter {
  if (due === 'late') return lateFilter(now)
  if (due === 'none') return { dateEnd: { null: true } }
  if (due === 'today') return { dateEnd: { gte: midnight(now), lt: midnight(now, 1) } }
  if (due === 'week') return { dateEnd: { gte: midnight(now), lt: midnight(now, 7) } }
  return {
    dateEnd: { ...(from && { gte: midnight(dayOf(from)) }), ...(to && { lt: midnight(dayOf(to), 1) }), null: false },
  }
}

export function mineFilter({ idUser, idMember }: Asker): AnyFilter {
  const own: AnyFilter[] = [{ idUser }]
  if (idMember) own.push({ 'executors.idMember': idMember }, { 'responsible.idMember': idMember })
  return { or: own }
}

/** The beginning of a day of the person's own clock, so many days later. */
export const midnight = (day: Date, later = 0): string =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).toISOString()

/** A day `YYYY-MM-DD` at the person's midnight. */
export function dayOf(text: string): Date {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  return new Date(year, month - 1, date)
}
