/** The tasks of a workspace by days (spec §7, Task calls). */

import { Board } from '@ordinator/model/areas/tasks/board'
import { taskCalls } from '@ordinator/model/areas/tasks/calls'
import { Assigned } from '@ordinator/model/areas/tasks/task'
import type { Answered } from '@ordinator/model/call'
import { midnightIn, wallOf } from '@ordinator/model/zone'
import { badRequest, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import { MAX_LIMIT, namesOf, type RawParams } from '#records/params.ts'

const DAY_MS = 86_400_000
type CalendarTask = Answered<(typeof taskCalls)['calendar']>['items'][number]
type CalendarCard = CalendarTask['assigned'][number]

/** Maximum number of days per call: a year of months as the calendar shows them. */
const MAX_DAYS = 400

export const taskCalendar = operation(taskCalls.calendar, async ({ records, actor, params, query, request }) => {
  // An unknown workspace and one outside the user's scope get the same error.
  await records.row(Board, params.boardId)
  const month = monthAround(Date.now(), actor.timeZone)
  const { dateStart = month.dateStart, dateEnd = month.dateEnd } = query
  const wrong = wrongDays(dateStart, dateEnd)
  if (wrong) throw new ValidationError([{ field: 'dateEnd', message: wrong }])
  const { from, to } = momentsOf(dateStart, dateEnd, actor.timeZone)
  const raw = request.query as RawParams
  const cards = JSON.parse(
    await records.list(Assigned, {
      ...overlapping(from, to),
      ...(query.includeArchived === '1' ? {} : { [own('isArchive')]: '0', [own('task.isArchive')]: '0' }),
      [own('column.idBoard')]: String(params.boardId),
      [own('task.isTemplate')]: '0',
      ...filterOfTask(raw),
      sort: 'id',
      limit: String(MAX_LIMIT),
      fields: ['idTask', 'idColumn', 'isArchive', 'order', ...ofTask(namesOf(raw, 'fields'))].join(),
      expand: ['task', ...ofTask(namesOf(raw, 'expand'))].join(),
    }),
  ) as { items: (CalendarCard & { task: CalendarTask })[]; _meta: { hasMore: boolean } }
  return {
    items: cards.items.map(({ task, ...card }) => ({ ...task, assigned: [card] })),
    hasMore: cards._meta.hasMore,
  }
})

/** The month of a moment in the time zone. */
export function monthAround(moment: number, timeZone: string): { dateStart: string; dateEnd: string } {
  const wall = new Date(wallOf(moment, timeZone))
  const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth()]
  return { dateStart: text(Date.UTC(year, month, 1)), dateEnd: text(Date.UTC(year, month + 1, 0)) }
}

/** The moments from the start of the first day to the end of the last one, exclusive, in the time zone. */
export function momentsOf(dateStart: string, dateEnd: string, timeZone: string): { from: string; to: string } {
  return { from: midnightIn(timeZone, dateStart), to: midnightIn(timeZone, dateEnd, 1) }
}

function wrongDays(dateStart: string, dateEnd: string): string | undefined {
  const days = (Date.parse(dateEnd) - Date.parse(dateStart)) / DAY_MS + 1
  if (days < 1) return 'Конец периода не может быть раньше его начала'
  return days > MAX_DAYS ? `Период больше ${MAX_DAYS} дней` : undefined
}

const text = (wall: number): string => new Date(wall).toISOString().slice(0, 10)

const own = (field: string) => `filter[and][0][${field}]`

/** Starts before the end of the period and ends within it or after; a task with one date counts on its day. */
function overlapping(from: string, to: string): RawParams {
  const branch = (n: number) => `filter[and][1][or][${n}]`
  return {
    [`${branch(0)}[task.dateStart][lt]`]: to,
    [`${branch(0)}[task.dateEnd][gte]`]: from,
    [`${branch(1)}[task.dateStart][null]`]: '1',
    [`${branch(1)}[task.dateEnd][gte]`]: from,
    [`${branch(1)}[task.dateEnd][lt]`]: to,
    [`${branch(2)}[task.dateEnd][null]`]: '1',
    [`${branch(2)}[task.dateStart][gte]`]: from,
    [`${branch(2)}[task.dateStart][lt]`]: to,
  }
}

const ofTask = (names: readonly string[] = []): string[] => names.map((name) => `task.${name}`)

const KNOWN = new Set(['dateStart', 'dateEnd', 'includeArchived', 'fields', 'expand'])

/** Converts a task list filter into a card filter, combined with the calendar's own. */
function filterOfTask(raw: RawParams): RawParams {
  const found: RawParams = {}
  for (const [key, value] of Object.entries(raw)) {
    if (KNOWN.has(key)) continue
    const brackets = /^filter((?:\[[^[\]]{1,200}\])+)$/.exec(key)?.[1]
    if (!brackets) throw badRequest(`Неизвестный параметр: ${key.slice(0, 80)}`)
    found[`filter[and][2]${named(brackets.slice(1, -1).split(']['))}`] = value
  }
  return found
}

/** `[or][0][name][ilike]` → `[or][0][task.name][ilike]`. */
function named(segments: string[]): string {
  const at = segments.findIndex((segment) => !/^(or|and|not|\d{1,3})$/.test(segment))
  return segments.map((segment, i) => `[${i === at ? `task.${segment}` : segment}]`).join('')
}
