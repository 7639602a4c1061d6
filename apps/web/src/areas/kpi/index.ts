/** Public parts of the KPI area. */
import { part } from '#kit/chunk.ts'

/** The user's KPI, for the dashboard. */
export const MyKpi = part(() => import('./MyKpi.tsx'), null)
/** The clinic's plan of the month, for the dashboard. */
export const PlanBlock = part(() => import('./PlanBlock.tsx'))
