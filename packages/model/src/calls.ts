import { advertisingCalls } from './areas/advertising/calls.ts'
import { agentCalls } from './areas/agents/calls.ts'
import { appealCalls } from './areas/appeals/calls.ts'
import { attachmentCalls } from './areas/attachment/calls.ts'
import { authCalls } from './areas/auth/calls.ts'
import { factorCalls } from './areas/auth/factorCalls.ts'
import { callCalls } from './areas/calls/calls.ts'
import { catalogueCalls } from './areas/catalogue/calls.ts'
import { centreCalls } from './areas/centre/calls.ts'
import { chatCalls } from './areas/chats/calls.ts'
import { onlineCalls } from './areas/chats/onlineCalls.ts'
import { consentCalls } from './areas/consents/calls.ts'
import { customerCalls } from './areas/customers/calls.ts'
import { threadCalls } from './areas/customers/threadCalls.ts'
import { discountCalls } from './areas/discounts/calls.ts'
import { egiszCalls } from './areas/egisz/calls.ts'
import { elnCalls } from './areas/eln/calls.ts'
import { snilsCalls } from './areas/eln/snilsCalls.ts'
import { examinationCalls } from './areas/examinations/calls.ts'
import { exchangeCalls } from './areas/exchange/calls.ts'
import { expenseCalls } from './areas/expenses/calls.ts'
import { fileCalls } from './areas/files/calls.ts'
import { filialCalls } from './areas/filials/calls.ts'
import { handoverCalls } from './areas/handover/calls.ts'
import { importCalls } from './areas/imports/calls.ts'
import { kpiCalls } from './areas/kpi/calls.ts'
import { laboratoryCalls } from './areas/laboratory/calls.ts'
import { membershipCalls } from './areas/memberships/calls.ts'
import { messageCalls } from './areas/messages/calls.ts'
import { metrikaCalls } from './areas/metrika/calls.ts'
import { moneyCalls } from './areas/money/calls.ts'
import { movingCalls } from './areas/moving/calls.ts'
import { newsCalls } from './areas/news/calls.ts'
import { notificationCalls } from './areas/notifications/calls.ts'
import { outsideCalls } from './areas/outside/calls.ts'
import { payerCalls } from './areas/payers/calls.ts'
import { payrollCalls } from './areas/payroll/calls.ts'
import { planCalls } from './areas/plans/calls.ts'
import { billCalls } from './areas/portal/billCalls.ts'
import { bookingCalls } from './areas/portal/bookingCalls.ts'
import { portalCalls } from './areas/portal/calls.ts'
import { deskCalls } from './areas/portal/deskCalls.ts'
import { doctorCalls } from './areas/portal/doctorCalls.ts'
import { paperCalls } from './areas/portal/paperCalls.ts'
import { printCalls } from './areas/prints/calls.ts'
import { promptCalls } from './areas/prompts/calls.ts'
import { referrerCalls } from './areas/referrers/calls.ts'
import { regulationCalls } from './areas/regulations/calls.ts'
import { regulationListCalls } from './areas/regulations/listCalls.ts'
import { reportCatalogueCalls } from './areas/reports/calls.ts'
import { analyticsCalls } from './areas/sales/analyticsCalls.ts'
import { salesCalls } from './areas/sales/calls.ts'
import { intakeCalls } from './areas/sales/intakeCalls.ts'
import { scriptCalls } from './areas/scripts/calls.ts'
import { searchCalls } from './areas/search/calls.ts'
import { ownSettingCalls, settingsCalls } from './areas/settings/calls.ts'
import { signaturesCalls } from './areas/signatures/calls.ts'
import { siteCalls } from './areas/site/calls.ts'
import { staffCalls } from './areas/staff/calls.ts'
import { startCalls } from './areas/start/calls.ts'
import { boardCalls } from './areas/tasks/boardCalls.ts'
import { taskCalls } from './areas/tasks/calls.ts'
import { trainingCalls } from './areas/training/calls.ts'
import { transcriptCalls } from './areas/transcripts/calls.ts'
import { upkeepCalls } from './areas/upkeep/calls.ts'
import { visitCalls } from './areas/visits/calls.ts'
import { warehouseCalls } from './areas/warehouse/calls.ts'
import { mdlpCalls } from './areas/warehouse/mdlpCalls.ts'
import type { Call } from './call.ts'
import { reportCalls } from './reportCalls.ts'
import { reports } from './reports.ts'
import { socketCalls } from './socketCalls.ts'

/** All calls other than generic CRUD, by area. The server answers only the calls listed here. */
const calls = {
  advertising: advertisingCalls,
  agents: agentCalls,
  appeals: appealCalls,
  attachment: attachmentCalls,
  auth: authCalls,
  authFactors: factorCalls,
  boards: boardCalls,
  calls: callCalls,
  catalogue: catalogueCalls,
  centre: centreCalls,
  chats: chatCalls,
  chatsOnline: onlineCalls,
  consents: consentCalls,
  customers: customerCalls,
  discounts: discountCalls,
  customerThread: threadCalls,
  egisz: egiszCalls,
  eln: elnCalls,
  snils: snilsCalls,
  examinations: examinationCalls,
  exchange: exchangeCalls,
  expenses: expenseCalls,
  files: fileCalls,
  filials: filialCalls,
  handover: handoverCalls,
  imports: importCalls,
  laboratory: laboratoryCalls,
  mainSettings: ownSettingCalls.main,
  notificationSettings: ownSettingCalls.notifications,
  dictionarySettings: ownSettingCalls.examinationDictionaries,
  kpi: kpiCalls,
  mdlp: mdlpCalls,
  messages: messageCalls,
  metrika: metrikaCalls,
  upkeep: upkeepCalls,
  money: moneyCalls,
  moving: movingCalls,
  news: newsCalls,
  outside: outsideCalls,
  notifications: notificationCalls,
  payroll: payrollCalls,
  plans: planCalls,
  memberships: membershipCalls,
  payers: payerCalls,
  referrers: referrerCalls,
  portal: portalCalls,
  portalBills: billCalls,
  portalBooking: bookingCalls,
  portalDesk: deskCalls,
  portalDoctors: doctorCalls,
  portalPapers: paperCalls,
  prints: printCalls,
  prompts: promptCalls,
  regulations: regulationCalls,
  regulationLists: regulationListCalls,
  reports: reportCatalogueCalls,
  sales: salesCalls,
  salesAnalytics: analyticsCalls,
  salesIntake: intakeCalls,
  scripts: scriptCalls,
  search: searchCalls,
  settings: settingsCalls,
  signatures: signaturesCalls,
  site: siteCalls,
  socket: socketCalls,
  staff: staffCalls,
  start: startCalls,
  tasks: taskCalls,
  training: trainingCalls,
  transcripts: transcriptCalls,
  visits: visitCalls,
  warehouse: warehouseCalls,
}

type Rooms = typeof calls
type Declared = { [R in keyof Rooms]: Rooms[R][keyof Rooms[R]] }[keyof Rooms]

/** The calls by method and path, as the web names them: `POST /news/:id/read`. */
export type Calls = { [C in Declared as C extends Call ? `${C['method']} ${C['path']}` : never]: C }

/** Calls of reports are derived from their declarations. */
export const everyCall: readonly Call[] = [
  ...Object.values(calls).flatMap((own) => Object.values<Call>(own)),
  ...reports.flatMap((report) => Object.values(reportCalls(report))),
]
