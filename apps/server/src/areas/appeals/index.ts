import type { Area } from '../../records/area.ts'
import { appealCauses, appealLinks, appealRecords, appealTags } from './appeals.ts'
import { demo } from './demo.ts'
import { makeLead, makeTask, ofCall } from './made.ts'
import { promises } from './promises.ts'

/** What patients have turned to the clinic with, and what has become of it. */
export const appeals: Area = {
  name: 'appeals',
  title: 'Обращения',
  records: [appealRecords, appealLinks, appealTags, appealCauses],
  operations: [ofCall, makeLead, makeTask, promises],
  demo,
}
