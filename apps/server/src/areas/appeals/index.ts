import type { Area } from '#records/area.ts'
import { startAlerts } from './alerts.ts'
import { appealCauses, appealLinks, appealRecords, appealTags, outcomeRecords } from './appeals.ts'
import { demo, ready } from './demo.ts'
import { makeLead, makeTask, ofCall, ofChat } from './made.ts'
import { promises } from './promises.ts'
import { appealReports } from './reports.ts'

export { endOf, outcomeOf } from './ends.ts'
export { appealOfComplaint, draftOf, takeBackAppeal } from './made.ts'

/** Appeals of patients, and their results. */
export const appeals: Area = {
  name: 'appeals',
  title: 'Обращения',
  records: [appealRecords, appealLinks, appealTags, appealCauses, outcomeRecords],
  operations: [ofCall, ofChat, makeLead, makeTask, promises],
  reports: appealReports,
  start: startAlerts,
  ready,
  demo,
}
