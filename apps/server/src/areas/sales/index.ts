import type { Area } from '#records/area.ts'
import { funnelAnalytics, leadAnalytics } from './analytics.ts'
import { startReminders } from './automation.ts'
import { leadCommentFiles, leadComments } from './comments.ts'
import { demo } from './demo.ts'
import { duplicates } from './duplicates.ts'
import { estimateOffer } from './estimate.ts'
import { leadFiles, salesFiles } from './files.ts'
import { archiveStage, bringBackStage, funnelScripts, funnels, stageActions, stages, stageType } from './funnels.ts'
import { offerDeals } from './importDeals.ts'
import { askCors, intakes, makeSecret, showForm, takeIntake } from './intake.ts'
import {
  companies,
  contacts,
  leadLinks,
  leadResponsible,
  leads,
  leadTags,
  leadTasks,
  leadVisits,
  lossReasons,
  salesSources,
} from './leads.ts'
import { leadLogs } from './logs.ts'
import { offerPdf } from './offerPdf.ts'
import {
  copyOffer,
  offerComments,
  offerServiceReasons,
  offerServiceStatuses,
  offerServices,
  offerStatuses,
  offers,
} from './offers.ts'
import { deals } from './reports.ts'
import { acceptRequest, leadRequests, linkRequest, rejectRequest, reopenRequest, requestMatches } from './requests.ts'
import { funnelTotals } from './totals.ts'

export { linkOffered } from './booked.ts'
export { takeSiteForm } from './intake.ts'
export { firstStage } from './moves.ts'
export { namesOf } from './newDeal.ts'

/** Deals, their funnels and offers. */
export const sales: Area = {
  name: 'sales',
  title: 'Продажи',
  records: [
    stageType,
    funnels,
    stages,
    stageActions,
    funnelScripts,
    salesSources,
    lossReasons,
    companies,
    leads,
    leadResponsible,
    leadTags,
    leadComments,
    leadTasks,
    leadLinks,
    leadVisits,
    salesFiles,
    leadFiles,
    leadCommentFiles,
    contacts,
    offerStatuses,
    offerServiceStatuses,
    offerServiceReasons,
    offers,
    offerServices,
    offerComments,
    intakes,
    leadRequests,
  ],
  reports: [deals],
  counts: [funnelAnalytics],
  operations: [
    archiveStage,
    bringBackStage,
    funnelTotals,
    duplicates,
    leadLogs,
    leadAnalytics,
    estimateOffer,
    copyOffer,
    offerPdf,
    makeSecret,
    takeIntake,
    askCors,
    showForm,
    requestMatches,
    acceptRequest,
    rejectRequest,
    linkRequest,
    reopenRequest,
  ],
  start(app) {
    offerDeals(app)
    startReminders(app)
  },
  demo,
}
