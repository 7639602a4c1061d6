/** Conversion of minutes and pixels. Minutes count from the midnight of the day, and continue after the next one. */

/** Steps of the grid in minutes, with their height: a shorter step enlarges the day. */
export const stepHeights = { 5: 20, 10: 20, 15: 24 } as const
export type Step = keyof typeof stepHeights

export interface Scale {
  /** Minutes: the first and the last one shown. */
  from: number
  to: number
  step: Step
  /** Pixels per minute when the whole day is fitted; absent: by the step. */
  fit?: number
}

export interface Span {
  from: number
  to: number
}

const HOUR = 60
export const DAY_MINUTES = 1_440

export const perMinute = ({ step, fit }: Scale): number => fit ?? stepHeights[step] / step

/** Below this a visit of 15 minutes has no room for a line of text. */
const LEAST = 0.7

/** Pixels per minute that fit the span into a height. */
export const fitted = ({ from, to }: Span, height: number): number => Math.max(LEAST, height / Math.max(1, to - from))

/** Pixels from the top of the sheet. */
export const topOf = (scale: Scale, minute: number): number => (minute - scale.from) * perMinute(scale)

/** The minute at a distance from the top; not rounded. */
export const minuteAt = (scale: Scale, top: number): number => scale.from + top / perMinute(scale)

/** Start of the step that contains the minute. */
export const stepAt = ({ step }: Scale, minute: number): number => Math.floor(minute / step) * step

/** Whole hours that contain all spans, or the usual day when there are none. */
export function hoursOf(spans: readonly Span[], usual: Span): Span {
  const from = Math.min(...spans.map((span) => span.from), spans.length ? Number.POSITIVE_INFINITY : usual.from)
  const to = Math.max(...spans.map((span) => span.to), spans.length ? 0 : usual.to)
  return {
    from: Math.max(0, Math.floor(from / HOUR) * HOUR),
    to: Math.min(2 * DAY_MINUTES, Math.ceil(to / HOUR) * HOUR),
  }
}

/** The whole hours of a scale. */
export const hoursIn = ({ from, to }: Scale): number[] =>
  Array.from({ length: Math.floor((to - from) / HOUR) }, (_, index) => from + index * HOUR)

/** `HH:mm` of a minute; of the next day too. */
export const clockOf = (minute: number): string => {
  const within = ((minute % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
  return `${String(Math.floor(within / HOUR)).padStart(2, '0')}:${String(within % HOUR).padStart(2, '0')}`
}

export const spanText = ({ from, to }: Span): string => `${clockOf(from)}–${clockOf(to)}`

/** Range of columns to render: the visible ones plus one at each side. */
export function shownColumns(left: number, width: number, columnWidth: number, count: number): [number, number] {
  const first = Math.max(0, Math.floor(left / columnWidth) - 1)
  const last = Math.min(count, Math.ceil((left + width) / columnWidth) + 1)
  return [Math.min(first, last), last]
}
