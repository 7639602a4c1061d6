import { paymentsReport } from './areas/money/reports.ts'
import type { Report } from './report.ts'

/** Every report; areas keep theirs in `areas/<area>/reports.ts`. */
export const reports: readonly Report[] = [paymentsReport]

const byKey = new Map(reports.map((one) => [one.key, one]))

/** The report of a key: `payments`. */
export const reportAt = (key: string): Report | undefined => byKey.get(key)
