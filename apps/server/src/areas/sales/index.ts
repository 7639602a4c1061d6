import type { Area } from '../../records/area.ts'
import { leadCommentFiles, leadFiles, salesFiles } from './files.ts'
import { funnelScripts, funnels, stageActions, stages, stageType } from './funnels.ts'
import { intakes, leadRequests } from './intake.ts'
import {
  companies,
  contacts,
  leadComments,
  leadLinks,
  leadResponsible,
  leads,
  leadTags,
  leadTasks,
  lossReasons,
  salesSources,
} from './leads.ts'
import {
  offerComments,
  offerServiceReasons,
  offerServiceStatuses,
  offerServices,
  offerStatuses,
  offers,
} from './offers.ts'

/** Deals, their funnels and offers. */
export const sales: Area = {
  name: 'sales',
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
}
