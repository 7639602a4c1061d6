import { ReportMailing, ReportRun, ReportSending } from './mailing.ts'

/** Entities of this area. */
export const entities = [ReportMailing, ReportRun, ReportSending] as const
