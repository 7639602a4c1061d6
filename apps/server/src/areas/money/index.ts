import type { Area } from '#records/area.ts'
import { account, correct } from './account.ts'
import { deskAdapters } from './adapters.ts'
import { bonusesOf, correctBonuses } from './bonusCalls.ts'
import { bonuses } from './bonuses.ts'
import { certificates } from './certificates.ts'
import { demo } from './demo.ts'
import { startBonuses } from './earning.ts'
import { families, familyMembers } from './families.ts'

export { familySpentSql } from './families.ts'

import { deskQueue, deskState } from './deskState.ts'
import { fiscalTasks, startPrinting } from './fiscal.ts'
import { ledgerAccounts } from './ledger.ts'
import { letters, settleLetter } from './letters.ts'
import { unpaid } from './lines.ts'
import { linkOperations } from './links/calls.ts'
import { paymentLinks } from './links/link.ts'
import { startLinks } from './links/settlement.ts'
import { startTerms } from './membershipSale.ts'
import { memberships } from './memberships.ts'
import { paymentParts, payments, takePayment } from './payments.ts'
import { packageOf } from './planPackage.ts'
import { startReconciling } from './reconcile.ts'
import { decideRefund, refundPayment } from './refunds.ts'
import { correctReceipt, repair, takeOut } from './repair.ts'
import { moneyReports } from './reports.ts'
import { settleByHand, settlePayment, startSettling } from './settling.ts'
import { shiftReport, shiftTotals } from './shiftReport.ts'
import { cashDesks, cashShifts, closeShift, moveCash, openShift, simulate } from './shifts.ts'
import { startSigns } from './signs.ts'

export { debtsOf } from './account.ts'
export { give as giveBonuses, takeBack as takeBonusesBack } from './bonuses.ts'
export { payForVisits } from './demoVisits.ts'
export {
  dayOf,
  entriesOfSql,
  lockCustomers,
  type Opening,
  post,
  postOpenings,
  reverse,
  reverseOpenings,
} from './ledger.ts'
export { letterUsedSql } from './letters.ts'
export { chargeVisit, lackAhead, lineCostSql, lineDueSql, linePaidSql, settle as settleAccount } from './lines.ts'
export { dropLink, linkBodyOf, makeLink, sendLink } from './links/link.ts'
export { giveBackLink, settleLink } from './links/settlement.ts'
export { earnTerms, sellForDemo } from './membershipSale.ts'
export {
  isOfferedSql,
  isReturnedSql,
  isSoldSql,
  lockMemberships,
  membershipHeldSql,
  membershipRestSql,
  membershipStateSql,
  moved,
  refundQuote,
  releaseUnits,
  reserveUnits,
} from './memberships.ts'
export { onlinePaymentOf, payOnline, settleOnline, waitsByLink } from './online.ts'
export { billOf, onlineWay, takesOnline } from './onlineBill.ts'
export { organizationOf } from './organization.ts'
export { payerShareSql } from './payerLines.ts'
export { queueOffsets } from './receiptCoverage.ts'
export { paidEverSql } from './reports.ts'
export { payFromDesk } from './shifts.ts'
export { soldFieldSql, soldServiceSql } from './sold.ts'
export { registerVisitPrices } from './visitPrices.ts'

/** Money of patients: the ledger, payments and refunds, cash desks, registers and terminals. */
export const money: Area = {
  name: 'money',
  title: 'Касса и счета клиентов',
  records: [
    bonuses,
    cashDesks,
    cashShifts,
    payments,
    paymentParts,
    paymentLinks,
    certificates,
    families,
    familyMembers,
    memberships,
    letters,
    ledgerAccounts,
    fiscalTasks,
  ],
  operations: [
    account,
    unpaid,
    bonusesOf,
    correctBonuses,
    correct,
    takePayment,
    packageOf,
    refundPayment,
    decideRefund,
    settlePayment,
    settleByHand,
    ...linkOperations,
    settleLetter,
    deskState,
    deskQueue,
    openShift,
    moveCash,
    shiftReport,
    shiftTotals,
    closeShift,
    repair,
    takeOut,
    correctReceipt,
    simulate,
  ],
  reports: moneyReports,
  adapters: deskAdapters,
  demo,
  start(app) {
    startPrinting(app)
    startSettling(app)
    startLinks(app)
    startBonuses(app)
    startSigns(app)
    startReconciling(app)
    startTerms(app)
  },
}
