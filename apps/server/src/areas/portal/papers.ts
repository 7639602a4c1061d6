/** What a patient reads and keeps: signed examinations that are open to patients, plans that were offered, signed consents. */
import { Consent, consentStatuses } from '@ordinator/model/areas/consents/consent'
import { Examination } from '@ordinator/model/areas/examinations/examination'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { type PaperKind, type PortalPaper, paperCalls, paperKinds } from '@ordinator/model/areas/portal/paperCalls'
import type { Entity } from '@ordinator/model/entity'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '../../platform/db.ts'
import { sendPdf } from '../../platform/disposition.ts'
import { HttpError, notFound } from '../../platform/errors.ts'
import { systemActor } from '../../records/actor.ts'
import type { AppContext } from '../../records/context.ts'
import { journal } from '../../records/journal.ts'
import { labelSql } from '../../records/labels.ts'
import { consentPaper, statusSql } from '../consents/index.ts'
import { examinationPaper } from '../examinations/index.ts'
import { planPaper } from '../plans/index.ts'
import { clinicZone, readCommonSettings } from '../settings/index.ts'
import { fioSql, shortFioSql } from '../staff/index.ts'
import { mustBeProven } from './data.ts'
import { patientCall } from './sessions.ts'

/** Papers of one list: the newest. */
const MOST = 200

/** SQL of the papers `p` of a kind that a patient may see: their rows, and what is told of them. */
const kinds: Record<PaperKind, { entity: Entity; from: Sql; told: Sql }> = {
  examination: {
    entity: Examination,
    // One that was put right is shown as it stands now.
    from: sql`examinations p join examination_templates t on t."id" = p."idTemplate" and t."forPatient"
      left join users u on u."id" = p."idUser" where p."status" = 'signed' and not p."deleted"`,
    told: sql`p."name", p."date" as day, ${shortFioSql(raw('u'))} as doctor, ${paperKinds.examination} as note`,
  },
  plan: {
    entity: TreatmentPlan,
    from: sql`customer_plans p left join users u on u."id" = p."idDoctor"
      where p."dateOffered" is not null and p."dateRefused" is null and not p."deleted"`,
    told: sql`p."name", (p."dateOffered" at time zone ${clinicZone})::date as day, ${shortFioSql(raw('u'))} as doctor,
      case when p."dateAgreed" is null then 'Предложен' else 'Согласован' end as note`,
  },
  consent: {
    entity: Consent,
    from: sql`consents p where p."signedAt" is not null and not p."deleted"`,
    told: sql`p."name", (p."signedAt" at time zone ${clinicZone})::date as day, null::text as doctor,
      ${labelSql(statusSql(raw('p')), consentStatuses)} as note`,
  },
}

async function mustBeOpen(db: Queryable): Promise<void> {
  if (!(await readCommonSettings(db)).portalActions.includes('papers'))
    throw new HttpError(409, 'Документы в личном кабинете не показываются: спросите их в клинике', { code: 'off' })
}

const papers = patientCall(paperCalls.papers, async ({ app, patient, query, subject, seen }) => {
  mustBeProven(patient)
  await mustBeOpen(app.db)
  const idCustomer = await subject(query.patient)
  const of = Object.entries(kinds).map(
    ([kind, { from, told }]) =>
      sql`(select ${kind}::text as kind, p."id"::int as id, ${told} from ${from} and p."idCustomer" = ${idCustomer}
        order by p."id" desc limit ${MOST})`,
  )
  const items = await app.db.reads.query<PortalPaper>(sql`
    select a.kind, a.id, a.name, a.day::text as day, nullif(a.doctor, '') as doctor, a.note
    from (${join(of, ' union all ')}) a order by a.day desc, a.kind, a.id desc limit ${MOST}`)
  await seen(idCustomer, Examination.path, 'список документов')
  return { items }
})

const paper = patientCall(paperCalls.paper, async ({ app, patient, params, query, subject, request, reply }) => {
  mustBeProven(patient)
  await mustBeOpen(app.db)
  const idCustomer = await subject(query.patient)
  const { kind, id } = params
  const { entity, from } = kinds[kind]
  const own = await app.db.one<{ id: number }>(
    sql`select p."id"::int as id from ${from} and p."id" = ${id} and p."idCustomer" = ${idCustomer}`,
  )
  if (!own) throw notFound('Такого документа в вашем кабинете нет')
  const bytes = await draw[kind](app, id, { id: `patient ${patient.idCustomer}` })
  await journal(app.db, {
    action: 'print',
    entityType: entity.path,
    idEntity: id,
    idCustomer,
    ip: request.ip,
    requestId: request.id,
    basis: 'Пациент в личном кабинете: документ',
  })
  return sendPdf(reply, `${paperKinds[kind]} ${id}.pdf`, bytes)
})

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
}

export const paperOperations = [papers, paper]
