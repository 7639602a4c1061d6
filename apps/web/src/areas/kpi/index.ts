/** What other areas may use of KPI. */
import { part } from '#base/chunk.ts'

/** The own figures, for the dashboard. */
export const MyKpi = part(() => import('./MyKpi.tsx'), null)
/** The clinic's plan of the month, for the dashboard. */
export const PlanBlock = part(() => import('./PlanBlock.tsx'))
