import * as format from '@ordinator/model/format'
import { dayIn, midnightIn, momentIn, momentOf as momentOfWall, wallOf, zoneFor } from '@ordinator/model/zone'

/**
 * The user's clock: the time zone of the profile, regardless of the computer's. All times on screen are formatted and
 * parsed here. Times at a branch use the zone `branch`.
 */
let zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Called once the user is known. */
export function setZone(timeZone: string): void {
  zone = timeZone
}
export const zoneNow = (): string => zone

type Moment = Parameters<typeof format.formatDate>[0]

/** 'DD.MM.YYYY'. A date without time keeps its day. */
export const formatDate = (value: Moment): string => format.formatDate(value, zone)
/** 'DD.MM.YYYY HH:mm' */
export const formatDateTime = (value: Moment, branch?: string | null): string =>
  format.formatDateTime(value, zoneFor(zone, branch))
/** An end time; «(не задано)» without one (spec §8). */
export const formatEnd = (value: Moment | null | undefined): string => (value ? formatDateTime(value) : '(не задано)')
/** 'DD.MM.YYYY HH:mm:ss' */
export const formatDateTimeSeconds = (value: Moment): string => format.formatDateTimeSeconds(value, zone)
/** 'HH:mm' */
export const formatTime = (value: Moment, branch?: string | null): string =>
  format.formatTime(value, zoneFor(zone, branch))
/** 'сегодня, 14:05', '5 ноября 2025': as in the model. */
export const formatHuman = (value: Moment, now: Date = new Date()): string => format.formatHuman(value, now, zone)

/** The day `YYYY-MM-DD` of a moment. */
export const dayOf = (moment: Date | string, branch?: string | null): string =>
  dayIn(zoneFor(zone, branch), new Date(moment))
export const today = (branch?: string | null): string => dayOf(new Date(), branch)
/** Start of a day, plus so many days; ISO. */
export const midnight = (day: string, later = 0): string => midnightIn(zone, day, later)
/** Moment of a local time `HH:mm` on a day; ISO. */
export const momentOf = (day: string, time: string): string => momentIn(zone, day, time)
/** Local time in minutes since midnight. */
export const minutesOf = (moment: Date): number => Math.floor(wallOf(moment.getTime(), zone) / 60_000) % 1_440
/** Local time represented as UTC, and back: for libraries that calculate in UTC. */
export const toWall = (moment: Date | string): Date => new Date(wallOf(new Date(moment).getTime(), zone))
export const fromWall = (wall: Date): Date => new Date(momentOfWall(wall.getTime(), zone))
