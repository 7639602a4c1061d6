/** Counter simulator: the same request has the same numbers. */
import { createHash } from 'node:crypto'
import { plusDays } from '@ordinator/model/zone'

export interface StatAsked {
  from: string
  to: string
  by: 'day' | 'source' | 'campaign' | 'goal'
  goals: readonly string[]
}
/** `key`: of the dimension; empty: without a mark. `reaches`: in the order of the requested goals. */
export interface StatRow {
  key: string
  visits: number
  reaches: number[]
}

const sources = ['yandex', 'google', '2gis', 'vk', 'telegram', '']
const campaigns = ['check-up', 'stomatologiya', 'brand', '']

/** A number from 0 to 1, stable for the names. */
const share = (...names: readonly string[]): number =>
  createHash('sha256').update(names.join('|')).digest().readUInt32BE(0) / 2 ** 32

export const simulatedGoals = (number: string): { goalId: string; name: string }[] =>
  ['Заявка с сайта', 'Звонок с сайта', 'Запись онлайн', 'Открыл страницу цен'].map((name, at) => ({
    goalId: `${number.slice(-4)}${at + 1}`,
    name,
  }))

function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = plusDays(day, 1)) days.push(day)
  return days
}

export function simulatedStat(number: string, { from, to, by, goals }: StatAsked): StatRow[] {
  const days = daysOf(from, to)
  const row = (key: string, of: readonly string[], weight: number): StatRow => ({
    key,
    visits: of.reduce((sum, day) => sum + Math.round((40 + 80 * share(number, key, day)) * weight), 0),
    reaches: goals.map((goal) =>
      of.reduce((sum, day) => sum + Math.round(9 * share(number, key, day, goal) * weight), 0),
    ),
  })
  if (by === 'day') return days.map((day) => row(day, [day], 1))
  if (by === 'source') return sources.map((source, at) => row(source, days, 1 / (at + 2)))
  if (by === 'campaign') return campaigns.map((campaign, at) => row(campaign, days, 1 / (at + 2)))
  return [row('', days, 1)]
}
