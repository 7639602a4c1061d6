import { Company, Contact } from './contact.ts'
import { LeadCommentFile, LeadFile, SalesFile } from './file.ts'
import { Funnel, FunnelScript, FunnelStageType, Stage, StageAction } from './funnel.ts'
import { Intake, LeadRequest } from './intake.ts'
import { Lead, LeadComment, LeadLink, LeadResponsible, LeadTag, LeadTask, LossReason, SalesSource } from './lead.ts'
import { Offer, OfferComment, OfferService, OfferServiceReason, OfferServiceStatus, OfferStatus } from './offer.ts'
import { LeadVisit } from './visit.ts'

/** Entities of this area. */
export const entities = [
  FunnelStageType,
  Funnel,
  Stage,
  StageAction,
  FunnelScript,
  SalesSource,
  LossReason,
  Company,
  Lead,
  LeadResponsible,
  LeadTag,
  LeadComment,
  LeadTask,
  LeadLink,
  LeadVisit,
  SalesFile,
  LeadFile,
  LeadCommentFile,
  Contact,
  OfferStatus,
  OfferServiceStatus,
  OfferServiceReason,
  Offer,
  OfferService,
  OfferComment,
  Intake,
  LeadRequest,
] as const
