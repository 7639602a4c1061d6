import { campaignsReport } from './areas/advertising/reports.ts'
import { appealsReport, callsReport, chatsReport, funnelReport } from './areas/appeals/reports.ts'
import { clinicalDetailReport, clinicalGeneralReport } from './areas/clinical/reports.ts'
import { birthdaysReport } from './areas/customers/reports.ts'
import { examinationsReport } from './areas/examinations/reports.ts'
import { labMarginReport, labRejectsReport, labTermsReport } from './areas/laboratory/reports.ts'
import { membershipsReport } from './areas/memberships/reports.ts'
import {
  debtsReport,
  discountsReport,
  paymentsReport,
  revenueReport,
  sourcesReport,
  transactionsReport,
} from './areas/money/reports.ts'
import { reviewsReport } from './areas/outside/reports.ts'
import { payerDebtsReport, payersReport } from './areas/payers/reports.ts'
import { plansReport } from './areas/plans/reports.ts'
import { referrersReport } from './areas/referrers/reports.ts'
import { violationsReport } from './areas/regulations/reports.ts'
import { dealsReport } from './areas/sales/reports.ts'
import { loadReport, npsReport, returnReport, visitsReport } from './areas/visits/reports.ts'
import type { Report } from './report.ts'

/** All reports, in the order of the catalogue; areas declare theirs in `areas/<area>/reports.ts`. */
export const reports: readonly Report[] = [
  revenueReport,
  paymentsReport,
  transactionsReport,
  debtsReport,
  discountsReport,
  visitsReport,
  loadReport,
  returnReport,
  funnelReport,
  dealsReport,
  birthdaysReport,
  sourcesReport,
  campaignsReport,
  plansReport,
  membershipsReport,
  payersReport,
  payerDebtsReport,
  referrersReport,
  appealsReport,
  reviewsReport,
  callsReport,
  chatsReport,
  examinationsReport,
  clinicalGeneralReport,
  clinicalDetailReport,
  npsReport,
  violationsReport,
  labTermsReport,
  labRejectsReport,
  labMarginReport,
]

const byKey = new Map(reports.map((one) => [one.key, one]))

/** The report with a key: `payments`. */
export const reportAt = (key: string): Report | undefined => byKey.get(key)
