import type { Area } from '#records/area.ts'
import { demo } from './demo.ts'
import { estimate } from './estimate.ts'
import { figures } from './figures.ts'
import { print } from './paper.ts'
import { planItems, plans as planRecords, planStages } from './plans.ts'
import { planFacts } from './reports.ts'
import { agree, cancelItem, codeState, confirm, copy, offer, refuse, reopen, sendCode } from './steps.ts'

export { bookPlanned, rebookPlanned, replanPrices } from './lines.ts'
export { planPaper } from './paper.ts'
export { agreeByCode, sendPlanCode } from './steps.ts'

/** Treatment plans offered by doctors, with fixed prices once agreed. */
export const plans: Area = {
  name: 'plans',
  title: 'Планы лечения',
  records: [planRecords, planStages, planItems],
  operations: [figures, estimate, offer, agree, codeState, sendCode, confirm, refuse, reopen, copy, cancelItem, print],
  reports: [planFacts],
  demo,
}
