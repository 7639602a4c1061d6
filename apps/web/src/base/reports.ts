import { reports } from 'virtual:reports'
import type { Report } from '@ordinator/model/report'

/** All reports, in the order of the catalogue. */
export { reports }

const byKey = new Map(reports.map((one) => [one.key, one]))

/** The report with a key: `payments`. */
export const reportAt = (key: string): Report | undefined => byKey.get(key)
