import {
  Regulation,
  type RegulationAudience,
  type RegulationReviewer,
} from '@ordinator/model/areas/regulations/regulation'
import { Violation } from '@ordinator/model/areas/regulations/run'
import {
  isDraft,
  isOnItsWay,
  mayHaveNewVersion,
  needsReason,
  openTransitions,
  transitionLabels,
} from '@ordinator/model/areas/regulations/status'
import type {
  RegulationFile,
  RegulationStep,
  StepDocument,
  StepImage,
  StepResponsible,
  StepScript,
} from '@ordinator/model/areas/regulations/step'
import type {
  RegulationLine,
  RegulationPerson,
  RegulationVersion,
  RegulationView,
  Stage,
} from '@ordinator/model/areas/regulations/wire'
import type { OldScript } from '@ordinator/model/areas/scripts/script'
import type { Role } from '@ordinator/model/areas/staff/role'
import type { User } from '@ordinator/model/areas/staff/user'
import type { Row } from '@ordinator/model/entity'
import type { Records } from '#records/records.ts'
import { mayDo } from '#records/scope.ts'

type RegulationRow = Row<typeof Regulation>
type Person = Row<typeof User>

/** A regulation with all its parts, with system rights. */
export interface WholeRegulation extends RegulationRow {
  responsibleUser: Person | null
  reviewers: (Row<typeof RegulationReviewer> & { user: Person })[]
  audience: (Row<typeof RegulationAudience> & { user: Person | null; role: Row<typeof Role> | null })[]
  stages: WholeStep[]
}

export interface WholeStep extends Row<typeof RegulationStep> {
  images: Row<typeof StepImage>[]
  documents: (Row<typeof StepDocument> & { file: Row<typeof RegulationFile> })[]
  scripts: (Row<typeof StepScript> & { script: Row<typeof OldScript> })[]
  responsibles: (Row<typeof StepResponsible> & { user: Person })[]
}

const PARTS = [
  'responsibleUser',
  'reviewers.user',
  'audience.user',
  'audience.role',
  'stages.images',
  'stages.documents.file',
  'stages.scripts.script',
  'stages.responsibles.user',
]

/** @throws HttpError 404. The caller checks the rights. */
export const wholeRegulation = async (records: Records, id: number): Promise<WholeRegulation> =>
  JSON.parse(await records.asSystem.view(Regulation, id, { expand: PARTS.join() }))

/**
 * A regulation for its screen, with the user's allowed operations. Names of scripts and roles are included, whether or
 * not the user may open these.
 * @throws HttpError 404 when it is outside the user's scope
 */
export async function viewOf(records: Records, id: number): Promise<RegulationView> {
  const regulation = await records.row(Regulation, id)
  const whole = await wholeRegulation(records, id)
  const versions = await versionsOf(records, regulation)
  const violations = await records.rows(Violation, {
    'filter[idRegulation]': id,
    'filter[state][neq]': 'rejected',
    limit: 500,
  })
  const mayWrite = mayDo(records.actor, 'update', Regulation)
  const isAgreed = whole.reviewers.every(({ decision }) => decision === 'approved')
  const { rejectionReason, dateApproved, dateActive, dateArchived, reviewMonths, readDays, passScore, hasTest } =
    regulation
  return {
    ...lineOf({ ...regulation, responsibleUser: whole.responsibleUser }),
    rejectionReason,
    dateApproved,
    dateActive,
    dateArchived,
    reviewMonths,
    readDays,
    passScore,
    hasTest,
    // The field is absent for users who may not see the right answers.
    ...('test' in regulation && { test: regulation.test }),
    canEdit: mayWrite && isDraft(regulation.status),
    transitions: mayWrite
      ? openTransitions(regulation.status, isAgreed).map((to) => ({
          to,
          label: transitionLabels[to],
          needsReason: needsReason(to),
        }))
      : [],
    newVersion: mayWrite && mayHaveNewVersion(regulation.status) && !versions.some(({ status }) => isOnItsWay(status)),
    versions,
    reviewers: whole.reviewers.map(({ user, ...one }) => ({
      id: one.id,
      idUser: one.idUser,
      user: personOf(user),
      kind: one.kind,
      decision: one.decision,
      dateDecision: one.dateDecision,
      comment: one.comment,
    })),
    audience: whole.audience.map(({ id, idUser, user, idRole, role }) => ({
      id,
      idUser,
      user: user && personOf(user),
      idRole,
      role: role?.name ?? null,
    })),
    stages: whole.stages.map((step) => stageOf(step, violations)),
  }
}

/** The fields of a line and of its `responsibleUser`, for a list. */
export const lineQuery = {
  fields: [
    'name',
    'description',
    'type',
    'status',
    'role',
    'idResponsibleUser',
    'created_at',
    'updated_at',
    'stagesCount',
    'timeEstimate',
    'version',
    'idFirst',
    'dateEffective',
    'dateReview',
    'responsibleUser.fio',
    'responsibleUser.shortFio',
    'responsibleUser.avatar',
  ].join(),
  expand: 'responsibleUser',
}

export type LineRow = Omit<RegulationLine, 'responsibleUser'> & { responsibleUser: Person | null }

export const lineOf = (row: LineRow): RegulationLine => ({
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  status: row.status,
  role: row.role,
  idResponsibleUser: row.idResponsibleUser,
  responsibleUser: row.responsibleUser && personOf(row.responsibleUser),
  created_at: row.created_at,
  updated_at: row.updated_at,
  stagesCount: row.stagesCount,
  timeEstimate: row.timeEstimate,
  version: row.version,
  idFirst: row.idFirst,
  dateEffective: row.dateEffective,
  dateReview: row.dateReview,
  _version: row._version,
})

export const personOf = ({ id, fio, shortFio, avatar }: Person): RegulationPerson => ({ id, fio, shortFio, avatar })

/** The visible versions of the same regulation, newest first. */
async function versionsOf(records: Records, { id, idFirst }: RegulationRow): Promise<RegulationVersion[]> {
  const first = idFirst ?? id
  const rows = await records.rows(Regulation, {
    'filter[or][0][id]': first,
    'filter[or][1][idFirst]': first,
    fields: 'version,status,updated_at',
    sort: '-version',
    limit: 500,
  })
  return rows.map(({ id, version, status, updated_at }) => ({ id, version, status, updated_at }))
}

function stageOf(step: WholeStep, violations: readonly Row<typeof Violation>[]): Stage {
  const { id, title, description, timeEstimate, status, importance, type, responsible } = step
  return {
    id,
    title,
    description,
    timeEstimate,
    status,
    importance,
    type,
    responsible,
    responsibles: step.responsibles.map(({ idUser }) => idUser),
    users: step.responsibles.map(({ user }) => personOf(user)),
    images: step.images.map(({ id, idFile, url, description }) => ({ id, idFile, url, description })),
    scripts: step.scripts.map(({ idScript }) => idScript),
    scriptNames: step.scripts.map(({ script }) => ({ id: script.id, name: script.name, active: script.active })),
    documents: step.documents.map(({ id, idFile, file: { url, name, size, extension } }) => ({
      id,
      idFile,
      url,
      name,
      size,
      extension,
    })),
    violations: violations
      .filter(({ idStep }) => idStep === id)
      .map(({ id, idUser, level, description, dateCreate }) => ({ id, idUser, level, description, dateCreate })),
  }
}
