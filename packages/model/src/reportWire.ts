/** Paths, limits and words of a report's calls, apart from their checks, which the screens do not need. */
import type { Report } from './report.ts'

/** Maximum groupings, conditions on them, groups in an answer, rows of a page. */
export const MAX_BY = 2
export const MAX_CONDITIONS = 10
export const MAX_GROUPS = 2_000
export const MAX_ROWS = 200

/** Condition on a grouping: `desk:5`, `kind:refund`; `desk:` matches null. */
export const conditionText = (name: string, value: string | number | boolean | null): string =>
  `${name}:${value === null ? '' : value}`

export const compareWith = { previous: 'С прошлым периодом', year: 'С прошлым годом' } as const
export type CompareWith = keyof typeof compareWith

export const figuresPath = ({ key }: Pick<Report, 'key'>) => `/reports/${key}`
export const rowsPath = ({ key }: Pick<Report, 'key'>) => `/reports/${key}/rows`
export const filePath = ({ key }: Pick<Report, 'key'>) => `/reports/${key}/file`
