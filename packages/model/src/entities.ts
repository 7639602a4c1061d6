import { AdCampaign, AdConversion, AdCost, AdCreative, AdNumber, AdTouch } from './areas/advertising/campaign.ts'
import { DeskAgent } from './areas/agents/agent.ts'
import { Appeal, AppealCause, AppealLink, AppealTag } from './areas/appeals/appeal.ts'
import { Outcome } from './areas/appeals/outcome.ts'
import { ApplicationFile, ApplicationPaper, Attachment, AttachmentApplication } from './areas/attachment/application.ts'
import { AttachmentArea, AttachmentStreet } from './areas/attachment/area.ts'
import { Call, CallCheck, CallLeg } from './areas/calls/call.ts'
import { ServiceConsumable } from './areas/catalogue/consumable.ts'
import { ServiceFile, ServiceImage } from './areas/catalogue/image.ts'
import { ServiceDuration, ServicePerformer } from './areas/catalogue/performer.ts'
import { Price, PriceChange, PriceList } from './areas/catalogue/price.ts'
import { Service, ServiceGroup, ServiceType } from './areas/catalogue/service.ts'
import { ChatChannel, ChatDomain, ChatGroup, ChatSuggestion } from './areas/chats/chatSettings.ts'
import {
  ChatFile,
  ChatMessage,
  ChatMessageFile,
  ChatMessageVersion,
  ChatNote,
  ChatVersionFile,
  LiveAssist,
  Visitor,
} from './areas/chats/liveAssist.ts'
import { OnlineDialog, OnlineFile, OnlineMessage, OnlineMessageFile } from './areas/chats/online.ts'
import { ClinicalAnswer, ClinicalChoice, ClinicalCriterion, ClinicalRecommendation } from './areas/clinical/clinical.ts'
import { Consent, ConsentTemplate, ConsentVersion } from './areas/consents/consent.ts'
import { Incident } from './areas/consents/incident.ts'
import { PatientRequest } from './areas/consents/request.ts'
import {
  Customer,
  CustomerPolicy,
  CustomerRelation,
  CustomerSource,
  CustomerStatus,
  CustomerTag,
} from './areas/customers/customer.ts'
import { CustomerAttachment, CustomerFile, CustomerPhoto } from './areas/customers/files.ts'
import { CustomerMerge } from './areas/customers/merge.ts'
import { BonusProgram } from './areas/discounts/bonusProgram.ts'
import { Discount, DiscountApproval, DiscountUse, PromoCode } from './areas/discounts/discount.ts'
import { EgiszEvent, EgiszOperation, Semd } from './areas/egisz/semd.ts'
import { EgiszEdition, EgiszRule, NsiDictionary } from './areas/egisz/setUp.ts'
import { CaredPerson, NumberRequest, SickLeave, SickNumber, SickPeriod } from './areas/eln/sickLeave.ts'
import { SnilsQuery } from './areas/eln/snils.ts'
import { Dictionary, DictionaryTerm } from './areas/examinations/dictionary.ts'
import { Examination, ExaminationAttachment, ExaminationFile } from './areas/examinations/examination.ts'
import { ExaminationTemplate, ExaminationTemplateVersion } from './areas/examinations/template.ts'
import { EgiszDocument, EgiszStaff } from './areas/exchange/egisz.ts'
import { ExchangeMessage } from './areas/exchange/exchangeMessage.ts'
import { Mapping } from './areas/exchange/mapping.ts'
import { Webhook } from './areas/exchange/webhook.ts'
import {
  BankStatement,
  Expense,
  ExpenseApproval,
  ExpenseArticle,
  ExpenseAttachment,
  ExpenseFile,
  ExpensePlan,
  ExpenseRoute,
  StatementLine,
} from './areas/expenses/expense.ts'
import { CalendarDay } from './areas/filials/calendarDay.ts'
import { Filial, FilialFile, FilialHoliday, FilialPicture, FilialRoom } from './areas/filials/filial.ts'
import { BankAccount, InsuranceProgramme, Organization, Signatory } from './areas/filials/organization.ts'
import { Sequence } from './areas/filials/sequence.ts'
import { Import } from './areas/imports/import.ts'
import { KpiDefinition, KpiPlan } from './areas/kpi/kpi.ts'
import { LabAnalyte, LabComponent, LabNorm, LabTest } from './areas/laboratory/catalogue.ts'
import { LabControl, LabControlRun } from './areas/laboratory/control.ts'
import { LabDevice, LabDeviceCode, LabStray } from './areas/laboratory/device.ts'
import { LabContainer, Laboratory, LabUnit } from './areas/laboratory/laboratory.ts'
import { LabOrder, LabOrderItem } from './areas/laboratory/order.ts'
import { LabResult } from './areas/laboratory/result.ts'
import { LabSample, LabSampleStep, LabShipment } from './areas/laboratory/sample.ts'
import { Message } from './areas/messages/message.ts'
import { MessageTemplate } from './areas/messages/messageTemplate.ts'
import { MetrikaCounter, MetrikaGoal, MetrikaUpload } from './areas/metrika/metrika.ts'
import { Bonus } from './areas/money/bonus.ts'
import { Certificate } from './areas/money/certificate.ts'
import { CashDesk, CashShift } from './areas/money/desk.ts'
import { FiscalTask } from './areas/money/fiscal.ts'
import { LedgerAccount } from './areas/money/ledger.ts'
import { PaymentLink } from './areas/money/link.ts'
import { GuaranteeLetter, Payment, PaymentPart } from './areas/money/payment.ts'
import { News, NewsComment, NewsFile, NewsImage, NewsIntake, NewsRead } from './areas/news/news.ts'
import { Notification } from './areas/notifications/notification.ts'
import {
  PayrollAdjustment,
  PayrollLine,
  PayrollPayout,
  PayrollPeriod,
  PayrollRun,
  PayrollSlip,
  PayScheme,
  ServiceCost,
  TimesheetDay,
} from './areas/payroll/payroll.ts'
import { PlanItem, PlanStage, TreatmentPlan } from './areas/plans/plan.ts'
import { PrintFile, PrintPicture, PrintTemplate } from './areas/prints/printTemplate.ts'
import { Prompt, PromptRun, PromptVersion } from './areas/prompts/prompt.ts'
import { Regulation, RegulationAudience, RegulationRead, RegulationReviewer } from './areas/regulations/regulation.ts'
import { RegulationRun, RunStep, Violation } from './areas/regulations/run.ts'
import {
  RegulationFile,
  RegulationStep,
  StepDocument,
  StepImage,
  StepResponsible,
  StepScript,
} from './areas/regulations/step.ts'
import { ReportMailing, ReportRun, ReportSending } from './areas/reports/mailing.ts'
import { Company, Contact } from './areas/sales/contact.ts'
import { LeadCommentFile, LeadFile, SalesFile } from './areas/sales/file.ts'
import { Funnel, FunnelScript, FunnelStageType, Stage, StageAction } from './areas/sales/funnel.ts'
import { Intake, LeadRequest } from './areas/sales/intake.ts'
import {
  Lead,
  LeadComment,
  LeadLink,
  LeadResponsible,
  LeadTag,
  LeadTask,
  LossReason,
  SalesSource,
} from './areas/sales/lead.ts'
import {
  Offer,
  OfferComment,
  OfferService,
  OfferServiceReason,
  OfferServiceStatus,
  OfferStatus,
} from './areas/sales/offer.ts'
import { LeadVisit } from './areas/sales/visit.ts'
import { OldScript, ScriptGroup } from './areas/scripts/script.ts'
import { UserSetting } from './areas/settings/userSetting.ts'
import { PowerOfAttorney, SignatureCertificate } from './areas/signatures/certificate.ts'
import { SiteDocument, SiteFile, SitePage, SitePageFile, SiteRedirect, SiteVersion } from './areas/site/page.ts'
import { SiteAcceptance, SitePolicy } from './areas/site/policy.ts'
import { SiteTheme } from './areas/site/theme.ts'
import { StaffPhoto } from './areas/staff/photo.ts'
import { Role, UserPermission, UserRole } from './areas/staff/role.ts'
import { Speciality, User } from './areas/staff/user.ts'
import { Board, BoardColumn, BoardMember, BoardRelation, BoardResource } from './areas/tasks/board.ts'
import { CheckList, CheckListItem } from './areas/tasks/checkList.ts'
import { ClientList, ClientListItem } from './areas/tasks/clientList.ts'
import { TaskComment, TaskCommentFile } from './areas/tasks/comment.ts'
import { TaskFile, TaskUpload } from './areas/tasks/file.ts'
import { TaskLink } from './areas/tasks/link.ts'
import { Poll, PollOption, PollResult } from './areas/tasks/poll.ts'
import { Subtask } from './areas/tasks/subtask.ts'
import { Assigned, Executor, Responsible, Task, TaskTag, Watcher } from './areas/tasks/task.ts'
import { Transcript, TranscriptLine } from './areas/transcripts/transcript.ts'
import { Equipment, EquipmentKind, ServiceEquipment } from './areas/visits/equipment.ts'
import { ShiftPattern, StaffEvent } from './areas/visits/shift.ts'
import {
  Appointment,
  AppointmentMove,
  Coupon,
  CouponService,
  Desk,
  GroupVisit,
  Hold,
  LinePerformer,
  VisitChange,
  VisitReminder,
  VisitScore,
} from './areas/visits/visit.ts'
import { WaitingEntry, WaitingOffer } from './areas/visits/waiting.ts'
import { Climate } from './areas/warehouse/climate.ts'
import { DocumentLine, WarehouseDocument } from './areas/warehouse/document.ts'
import { GoodsName, InventoryCount } from './areas/warehouse/inventory.ts'
import { MdlpCode, MdlpDocument } from './areas/warehouse/mdlp.ts'
import { Batch, Stock, StockMove } from './areas/warehouse/stock.ts'
import { Warehouse } from './areas/warehouse/warehouse.ts'
import type { Entity } from './entity.ts'

/** Every entity of the product. What is not here does not exist for the server, the web or the tests. */
export const entities = [
  User,
  StaffPhoto,
  Speciality,
  Role,
  UserRole,
  UserPermission,
  UserSetting,
  Notification,
  Import,
  FilialFile,
  Filial,
  FilialRoom,
  FilialHoliday,
  FilialPicture,
  Organization,
  BankAccount,
  Signatory,
  InsuranceProgramme,
  Sequence,
  CalendarDay,
  Customer,
  CustomerPolicy,
  CustomerRelation,
  CustomerTag,
  CustomerSource,
  CustomerStatus,
  CustomerFile,
  CustomerPhoto,
  CustomerAttachment,
  CustomerMerge,
  ConsentTemplate,
  ConsentVersion,
  Consent,
  PatientRequest,
  Incident,
  ChatChannel,
  ChatDomain,
  ChatGroup,
  ChatSuggestion,
  Visitor,
  LiveAssist,
  ChatMessage,
  ChatNote,
  ChatFile,
  OnlineDialog,
  OnlineMessage,
  OnlineFile,
  OnlineMessageFile,
  ChatMessageFile,
  ChatMessageVersion,
  ChatVersionFile,
  Call,
  CallCheck,
  Transcript,
  TranscriptLine,
  CallLeg,
  Appeal,
  AppealLink,
  AppealTag,
  AppealCause,
  Outcome,
  ServiceType,
  ServiceGroup,
  Service,
  ServiceFile,
  ServiceImage,
  PriceList,
  Price,
  PriceChange,
  ServicePerformer,
  ServiceConsumable,
  ServiceDuration,
  EquipmentKind,
  Equipment,
  ServiceEquipment,
  Discount,
  PromoCode,
  DiscountApproval,
  DiscountUse,
  BonusProgram,
  Certificate,
  Bonus,
  DeskAgent,
  CashDesk,
  PaymentLink,
  CashShift,
  GuaranteeLetter,
  Payment,
  PaymentPart,
  LedgerAccount,
  FiscalTask,
  ExpenseArticle,
  Expense,
  ExpenseRoute,
  ExpenseApproval,
  ExpensePlan,
  ExpenseFile,
  ExpenseAttachment,
  BankStatement,
  StatementLine,
  PayScheme,
  PayrollPeriod,
  PayrollSlip,
  PayrollLine,
  PayrollAdjustment,
  PayrollPayout,
  PayrollRun,
  TimesheetDay,
  ServiceCost,
  AdCampaign,
  AdNumber,
  AdCreative,
  AdCost,
  AdTouch,
  AdConversion,
  ReportMailing,
  ReportRun,
  ReportSending,
  KpiDefinition,
  KpiPlan,
  ScriptGroup,
  OldScript,
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
  Board,
  BoardColumn,
  BoardMember,
  Task,
  Assigned,
  Executor,
  Responsible,
  TaskTag,
  TaskUpload,
  TaskFile,
  Watcher,
  Subtask,
  TaskLink,
  CheckList,
  CheckListItem,
  ClientList,
  ClientListItem,
  Poll,
  PollOption,
  PollResult,
  TaskComment,
  TaskCommentFile,
  BoardRelation,
  BoardResource,
  Regulation,
  RegulationStep,
  RegulationFile,
  StepImage,
  StepDocument,
  StepScript,
  StepResponsible,
  RegulationReviewer,
  RegulationAudience,
  RegulationRead,
  RegulationRun,
  RunStep,
  Violation,
  PrintFile,
  PrintTemplate,
  PrintPicture,
  NewsIntake,
  News,
  NewsFile,
  NewsImage,
  NewsRead,
  NewsComment,
  SiteFile,
  SitePage,
  SiteVersion,
  SitePageFile,
  SiteRedirect,
  SiteDocument,
  SitePolicy,
  SiteAcceptance,
  SiteTheme,
  Webhook,
  ExchangeMessage,
  TreatmentPlan,
  PlanStage,
  PlanItem,
  ShiftPattern,
  StaffEvent,
  Desk,
  Appointment,
  Coupon,
  CouponService,
  LinePerformer,
  AppointmentMove,
  VisitChange,
  VisitScore,
  VisitReminder,
  GroupVisit,
  Hold,
  WaitingEntry,
  WaitingOffer,
  Dictionary,
  DictionaryTerm,
  ExaminationTemplate,
  ExaminationTemplateVersion,
  Examination,
  ExaminationFile,
  ExaminationAttachment,
  Laboratory,
  LabContainer,
  LabUnit,
  LabAnalyte,
  LabNorm,
  LabTest,
  LabComponent,
  LabShipment,
  LabOrder,
  LabSample,
  LabSampleStep,
  LabDevice,
  LabDeviceCode,
  LabOrderItem,
  LabResult,
  LabStray,
  LabControl,
  LabControlRun,
  ClinicalRecommendation,
  ClinicalCriterion,
  ClinicalChoice,
  ClinicalAnswer,
  Prompt,
  PromptVersion,
  PromptRun,
  MessageTemplate,
  Message,
  Warehouse,
  WarehouseDocument,
  DocumentLine,
  Batch,
  Stock,
  StockMove,
  InventoryCount,
  GoodsName,
  Climate,
  MdlpDocument,
  MdlpCode,
  AttachmentArea,
  AttachmentStreet,
  AttachmentApplication,
  ApplicationPaper,
  ApplicationFile,
  Attachment,
  SickLeave,
  SickPeriod,
  CaredPerson,
  NumberRequest,
  SickNumber,
  SnilsQuery,
  EgiszDocument,
  Semd,
  EgiszOperation,
  EgiszEvent,
  EgiszEdition,
  EgiszRule,
  NsiDictionary,
  SignatureCertificate,
  PowerOfAttorney,
  EgiszStaff,
  Mapping,
  MetrikaCounter,
  MetrikaGoal,
  MetrikaUpload,
] as const

/** By path, made once: to look for each path among all entities would cost the compiler their number each time. */
type Known = { [E in (typeof entities)[number] as E['path']]: E }
/** An entity's type by its path. */
export type EntityAt<P extends string> = P extends keyof Known ? Known[P] : Entity

const byPath = new Map<string, Entity>(entities.map((e) => [e.path, e as Entity]))

/** The entity at a path; undefined when there is none. */
export const entityAt = (path: string): Entity | undefined => byPath.get(path)
