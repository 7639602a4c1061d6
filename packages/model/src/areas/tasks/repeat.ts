/** How a reminder repeats (spec §3). */
export const repeatTypes = {
  ONCE: 'Не повторять',
  EVERYDAY: 'Каждый день',
  WEEKDAYS: 'По будням',
  WEEKLY: 'Каждую неделю',
  MONTHLY: 'Каждый месяц',
  ANNUALLY: 'Каждый год',
  CUSTOM: 'Свой период',
} as const
export type RepeatType = keyof typeof repeatTypes

/** Units of an own period. */
export const repeatUnits = { DAY: 'дней', WEEK: 'недель', MONTH: 'месяцев', YEAR: 'лет' } as const
export type RepeatUnit = keyof typeof repeatUnits
