import { FilialHoliday } from '@ordinator/model/areas/filials/filial'
import { minutesOf } from '@ordinator/model/areas/visits/clock'
import { Hold } from '@ordinator/model/areas/visits/hold'
import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Appointment, Coupon, GroupVisit } from '@ordinator/model/areas/visits/visit'
import { dayIn, plusDays, wallOf } from '@ordinator/model/zone'
import type { QueryClient } from '@tanstack/react-query'
import type { Answer } from '#base/api.ts'
import { useNow } from '#kit/useNow.ts'

/** A day of a branch, or days of a doctor: shifts, visits, holds. */
export type Day = Answer<'GET /appointments/day'>
export type DayVisit = Day['visits'][number]
export type DayEvent = Day['events'][number]
export type DayGroup = Day['groups'][number]
export type SpecialDay = Day['special'][number]
export type DayDoctor = Day['doctors'][number]

export interface DayQuery {
  idFilial?: number
  idUser?: number
  date: string
  to?: string
  cancelled?: boolean
}

/** Query key of days. */
export const dayKey = 'appointments/day'
/** Entities whose changes reload a day. */
export const dayPaths = [Appointment.path, Coupon.path, StaffEvent.path, Hold.path, GroupVisit.path, FilialHoliday.path]

/** Optimistic change of visits and groups in all cached days. */
export function changeDays(
  cache: QueryClient,
  change: (visit: DayVisit) => DayVisit,
  changeGroup?: (group: DayGroup) => DayGroup,
): () => void {
  const before = cache.getQueriesData<Day>({ queryKey: [dayKey] })
  void cache.cancelQueries({ queryKey: [dayKey] })
  cache.setQueriesData<Day>(
    { queryKey: [dayKey] },
    (day) =>
      day && {
        ...day,
        visits: day.visits.map(change),
        ...(changeGroup && { groups: day.groups.map(changeGroup) }),
      },
  )
  return () => {
    for (const [key, data] of before) cache.setQueryData(key, data)
  }
}

export const readDaysAgain = (cache: QueryClient): Promise<void> => cache.invalidateQueries({ queryKey: [dayKey] })

/** Minutes since midnight. */
export const startOf = ({ localStart }: { localStart: string }): number => minutesOf(localStart) ?? 0

/** Interval of a shift or absence: an end not after the start is on the next day. */
export function spanOf({ localFrom, localTo }: Pick<DayEvent, 'localFrom' | 'localTo'>): { from: number; to: number } {
  const from = minutesOf(localFrom) ?? 0
  const to = minutesOf(localTo) ?? 0
  return { from, to: to > from ? to : to + 1_440 }
}

/** 'Новый год, филиал закрыт', 'Сокращённый день, филиал открыт 09:00–14:00' */
export const specialWords = ({ reason, start, end }: SpecialDay): string =>
  `${reason}, ${start && end ? `филиал открыт ${start}–${end}` : 'филиал закрыт'}`

const TICK_MS = 20_000

/** Local time of the branch: day, minutes since midnight, and the moment. */
export function useWallNow(timeZone: string): { today: string; minute: number; moment: number } {
  const moment = useNow(TICK_MS)
  return { today: dayIn(timeZone, moment), minute: Math.floor(wallOf(moment, timeZone) / 60_000) % 1_440, moment }
}

/** Monday of a day's week. */
export const mondayOf = (day: string): string => plusDays(day, -((new Date(day).getUTCDay() + 6) % 7))

export const weekOf = (day: string): string[] => Array.from({ length: 7 }, (_, at) => plusDays(mondayOf(day), at))

const words = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Date(day).toLocaleDateString('ru-RU', { ...options, timeZone: 'UTC' })

/** 'понедельник, 23 ноября 2026' */
export const dayWords = (day: string): string =>
  words(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).replace(/\s*г\.$/, '')
/** 'пн 23 нояб.' */
export const shortDay = (day: string): string => words(day, { weekday: 'short', day: 'numeric', month: 'short' })
export const weekdayWord = (day: string): string => words(day, { weekday: 'short' })
/** 'ноябрь 2026' */
export const monthWords = (day: string): string => words(day, { month: 'long', year: 'numeric' }).replace(/\s*г\.$/, '')

/** Adds «каб.» to a room name that is a number. */
export const roomText = (name: string): string => (/^\d/.test(name) ? `каб. ${name}` : name)
