/** Documents of a patient: signed examinations open to patients, offered plans, consents; and signing them. */
import { Consent, consentStatuses } from '@ordinator/model/areas/consents/consent'
import { Examination } from '@ordinator/model/areas/examinations/examination'
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { type PaperKind, type PortalPaper, paperCalls, paperKinds } from '@ordinator/model/areas/portal/paperCalls'
import type { Entity } from '@ordinator/model/entity'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { consentPaper, revokeConsent, sendConsentCode, signByCode, statusSql } from '#areas/consents/index.ts'
import { examinationPaper } from '#areas/examinations/index.ts'
import { orderPaper } from '#areas/laboratory/index.ts'
import { agreeByCode, planPaper, sendPlanCode } from '#areas/plans/index.ts'
import { clinicToday, clinicZone, codeSmsOf, readCommonSettings } from '#areas/settings/index.ts'
import { fioSql, shortFioSql } from '#areas/staff/index.ts'
import type { Db, Queryable } from '#platform/db.ts'
import { sendPdf } from '#platform/disposition.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { labelSql } from '#records/labels.ts'
import type { Records } from '#records/records.ts'
import { mustBeByCode } from './data.ts'
import { patientCall } from './sessions.ts'

/** Maximum number of documents per list: the newest. */
const MOST = 200

/** SQL of the documents `p` of a kind visible to a patient: their rows and shown fields. */
const kinds: Record<PaperKind, { entity: Entity; from: Sql; columns: Sql }> = {
  examination: {
    entity: Examination,
    // A corrected one is shown in its current version.
    from: sql`examinations p join examination_templates t on t."id" = p."idTemplate" and t."forPatient"
      left join users u on u."id" = p."idUser" where p."status" = 'signed' and not p."deleted"`,
    columns: sql`p."name", p."date" as day, ${shortFioSql(raw('u'))} as doctor, ${paperKinds.examination} as note,
      false as "maySign", false as "mayRevoke"`,
  },
  plan: {
    entity: TreatmentPlan,
    from: sql`customer_plans p left join users u on u."id" = p."idDoctor"
      where p."dateOffered" is not null and p."dateRefused" is null and not p."deleted"`,
    columns: sql`p."name", (p."dateOffered" at time zone ${clinicZone})::date as day, ${shortFioSql(raw('u'))} as doctor,
      case when p."dateAgreed" is not null then 'Согласован' when p."validTo" < ${clinicToday} then 'Срок цен вышел'
        else 'Предложен' end as note,
      p."dateAgreed" is null and coalesce(p."validTo" >= ${clinicToday}, true) as "maySign", false as "mayRevoke"`,
  },
  consent: {
    entity: Consent,
    from: sql`consents p where not p."deleted"`,
    columns: sql`p."name", (coalesce(p."signedAt", p."dateCreate") at time zone ${clinicZone})::date as day, null::text as doctor,
      case when p."signedAt" is null then 'Ждёт подписи' else ${labelSql(statusSql(raw('p')), consentStatuses)} end as note,
      p."signedAt" is null as "maySign", p."type" = 'ads' and ${statusSql(raw('p'))} = 'signed' as "mayRevoke"`,
  },
  analysis: {
    entity: LabOrder,
    // Issued results with the patient's consent: values approved by a laboratory doctor.
    from: sql`laboratory_orders p left join users u on u."id" = p."idDoctor" where p."issuedAt" is not null and not p."deleted"
      and exists (select 1 from laboratory_results r join laboratory_order_items i on i."id" = r."idItem" where i."idOrder" = p."id"
        and r."isMain" and r."status" in ('medical', 'corrected'))
      and exists (select 1 from consents s where s."idCustomer" = p."idCustomer" and s."type" = 'pd' and not s."deleted"
        and ${statusSql(raw('s'))} = 'signed')`,
    columns: sql`'Анализы ' || p."number" as "name", (p."issuedAt" at time zone ${clinicZone})::date as day, ${shortFioSql(raw('u'))} as doctor,
      case when p."status" = 'issued' then ${paperKinds.analysis} else 'Готово частично' end as note,
      false as "maySign", false as "mayRevoke"`,
  },
}

const closed = {
  papers: 'Документы в личном кабинете не показываются: спросите их в клинике',
  sign: 'Документы в личном кабинете не подписываются: подпишите в клинике',
}

/** @throws HttpError 409 if the clinic has disabled the action for patients */
export async function mustBeOpen(db: Queryable, ...actions: (keyof typeof closed)[]): Promise<void> {
  const { portalActions } = await readCommonSettings(db)
  for (const action of actions)
    if (!portalActions.includes(action)) throw new HttpError(409, closed[action], { code: 'off' })
}

/** @throws HttpError 404 for a document that is not this patient's, or is hidden */
async function mustBeOwn(db: Queryable, kind: PaperKind, id: number, idCustomer: number, more = raw('true')) {
  const own = await db.one(
    sql`select 1 from ${kinds[kind].from} and p."id" = ${id} and p."idCustomer" = ${idCustomer} and ${more}`,
  )
  if (!own) throw notFound('Такого документа в кабинете пациента нет')
}

export const entityOf = (kind: PaperKind): Entity => kinds[kind].entity

/** The newest documents of a patient, those that need an action first. */
export function papersOf(db: Db, idCustomer: number, most = MOST): Promise<PortalPaper[]> {
  const of = Object.entries(kinds).map(
    ([kind, { from, columns }]) =>
      sql`(select ${kind}::text as kind, p."id"::int as id, ${columns} from ${from} and p."idCustomer" = ${idCustomer}
        order by p."id" desc limit ${most})`,
  )
  return db.reads.query<PortalPaper>(sql`
    select a.kind, a.id, a.name, a.day::text as day, nullif(a.doctor, '') as doctor, a.note,
      a."maySign", a."mayRevoke"
    from (${join(of, ' union all ')}) a
    order by a."maySign" desc, a.day desc, a.kind, a.id desc limit ${most}`)
}

const papers = patientCall(paperCalls.papers, async ({ app, patient, query, subject, recordView }) => {
  mustBeByCode(patient)
  await mustBeOpen(app.db, 'papers')
  const { portalActions } = await readCommonSettings(app.db)
  const maySign = portalActions.includes('sign') && (await codeSmsOf(app)) !== undefined
  const idCustomer = await subject(query.patient)
  const items = await papersOf(app.db, idCustomer)
  await recordView(idCustomer, Examination.path, 'список документов')
  return { items: items.map((one) => ({ ...one, maySign: one.maySign && maySign })) }
})

const paper = patientCall(paperCalls.paper, async ({ app, patient, params, query, subject, reply, wrote }) => {
  mustBeByCode(patient)
  await mustBeOpen(app.db, 'papers')
  const idCustomer = await subject(query.patient)
  const { kind, id } = params
  const { entity } = kinds[kind]
  await mustBeOwn(app.db, kind, id, idCustomer)
  const bytes = await draw[kind](app, id, { id: `patient ${patient.idCustomer}` })
  await wrote({ action: 'print', entity, id, idCustomer, what: 'документ' })
  return sendPdf(reply, `${paperKinds[kind]} ${id}.pdf`, bytes)
})

/**
 * A portal document of a patient as a PDF, for an operator with the right to it.
 * @throws HttpError 404 for another's, a hidden one, or one outside the user's scope
 */
export async function paperFor(app: AppContext, records: Records, kind: PaperKind, id: number, idCustomer: number) {
  await records.row(entityOf(kind), id)
  await mustBeOwn(app.db, kind, id, idCustomer)
  return draw[kind](app, id, { id: `user ${records.actor.id}` })
}

type Draw = (app: AppContext, id: number, who: { id: string }) => Promise<Uint8Array>

const system = ({ engine }: AppContext) => engine.for(systemActor).asSystem

const draw: Record<PaperKind, Draw> = {
  async examination(app, id, who) {
    const examination = await system(app).row(Examination, id)
    const patient = await app.db.one<{ fio: string; birthday: string | null; cardNumber: string | null }>(sql`
      select ${fioSql(raw('c'))} as fio, to_char(c."birthday", 'DD.MM.YYYY') as birthday, c."cardNumber"
      from customers c where c."id" = ${examination.idCustomer}`)
    return examinationPaper(app, examination, patient ?? null, who)
  },
  plan: async (app, id, who) => planPaper(app, await system(app).row(TreatmentPlan, id), who),
  consent: async (app, id, who) => consentPaper(app, await system(app).row(Consent, id), who),
  analysis: async (app, id, who) => orderPaper(app, await system(app).row(LabOrder, id), 'result', who),
}

const asSystem = ({ engine }: AppContext) => engine.for(systemActor)

const sendCode = patientCall(paperCalls.sendCode, async ({ app, patient, params: { kind, id }, query, subject }) => {
  mustBeByCode(patient)
  await mustBeOpen(app.db, 'papers', 'sign')
  if (!(await codeSmsOf(app))) throw new HttpError(409, closed.sign, { code: 'off' })
  await mustBeOwn(app.db, kind, id, await subject(query.patient))
  return kind === 'plan' ? sendPlanCode(app, asSystem(app), id) : sendConsentCode(app, asSystem(app), id)
})

const sign = patientCall(
  paperCalls.sign,
  async ({ app, patient, params: { kind, id }, query, body, subject, wrote }) => {
    mustBeByCode(patient)
    await mustBeOpen(app.db, 'papers', 'sign')
    const idCustomer = await subject(query.patient)
    await mustBeOwn(app.db, kind, id, idCustomer)
    if (kind === 'plan') await agreeByCode(app, asSystem(app), id, body.code)
    else await signByCode(app, asSystem(app), id, body.code)
    await wrote({ action: 'sign', entity: kinds[kind].entity, id, idCustomer, what: 'подпись кодом из сообщения' })
  },
)

const revoke = patientCall(paperCalls.revoke, async ({ app, patient, params: { id }, query, subject, wrote }) => {
  mustBeByCode(patient)
  const idCustomer = await subject(query.patient)
  await mustBeOwn(app.db, 'consent', id, idCustomer, sql`p."type" = 'ads'`)
  await revokeConsent(asSystem(app), id, 'Отозвано пациентом в личном кабинете')
  await wrote({ action: 'update', entity: Consent, id, idCustomer, what: 'отзыв согласия' })
})

export const paperOperations = [papers, paper, sendCode, sign, revoke]
