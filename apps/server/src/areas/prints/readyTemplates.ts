/** Standard templates; the clinic may edit them. */

import { attachmentPapers } from './readyAttachment.ts'
import { moneyPapers } from './readyMoney.ts'
import { officePapers } from './readyOffice.ts'
import type { ReadyTemplate } from './readyParts.ts'
import { patientPapers } from './readyPatient.ts'
import { payerPapers } from './readyPayers.ts'
import { referrerPapers } from './readyReferrers.ts'
import { sickLeavePapers } from './readySickLeaves.ts'
import { stockPapers } from './readyStock.ts'
import { visitPapers } from './readyVisits.ts'

export const readyTemplates: readonly ReadyTemplate[] = [
  ...patientPapers,
  ...moneyPapers,
  ...visitPapers,
  ...officePapers,
  ...sickLeavePapers,
  ...attachmentPapers,
  ...stockPapers,
  ...payerPapers,
  ...referrerPapers,
]
