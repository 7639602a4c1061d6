import { Service } from '@ordinator/model/areas/catalogue/service'
import { Company, Contact } from '@ordinator/model/areas/sales/contact'
import { DONE, Funnel, LOSS, Stage, StageAction } from '@ordinator/model/areas/sales/funnel'
import { Lead, LeadComment, LeadTag, LossReason, SalesSource } from '@ordinator/model/areas/sales/lead'
import { Offer, OfferService } from '@ordinator/model/areas/sales/offer'
import { commonSettings } from '@ordinator/model/areas/settings/commonSettings'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { actorOfUser } from '#auth/actors.ts'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import {
  type DemoFunnel,
  demoComments,
  demoCompanies,
  demoCounts,
  demoFunnels,
  demoPeople,
  demoReasons,
  demoSources,
  demoTags,
} from './demoDeals.ts'
import { demoDesk } from './demoDesk.ts'

const DAY = 86_400_000
/** Days over which the deals came in. */
const SPAN = 150

/** Two funnels of the demo clinic with deals in every stage, over five months. */
export async function demo(records: Records, _app: AppContext, tx: Queryable): Promise<void> {
  const sellers = await sellersOf(records, tx)
  const [first] = sellers
  if (!first) return
  const system = records.asSystem
  const sources: number[] = []
  for (const [name, UTM] of demoSources) sources.push((await system.create(SalesSource, { name, UTM })).id)
  const reasons: number[] = []
  for (const name of demoReasons) reasons.push((await system.create(LossReason, { name })).id)
  const companies: number[] = []
  for (const company of demoCompanies) companies.push((await system.create(Company, company)).id)
  const services = await servicesByName(system)
  let serial = 0
  for (const [n, funnel] of demoFunnels.entries()) {
    const stages = await makeFunnel(first, funnel)
    for (let i = 0; i < (demoCounts[n] ?? 0); i++) {
      serial++
      const seller = sellers[((serial * 5) >> 1) % sellers.length] as Records
      await makeDeal(seller, tx, {
        funnel,
        stages,
        sources,
        reasons,
        companies,
        services,
        serial,
        place: i / (demoCounts[n] ?? 1),
      })
    }
    // Created last, so that deals of the past do not trigger it.
    const [idStage] = stages.work
    await system.create(StageAction, {
      idStage: idStage as number,
      type: 'remind',
      hours: 2,
      text: 'Связаться с пациентом',
      idAuthor: first.actor.id,
    })
    const last = stages.work.at(-1) as number
    await system.create(StageAction, {
      idStage: last,
      type: 'responsible',
      idUser: first.actor.id,
      idAuthor: first.actor.id,
    })
  }
  await demoDesk(first)
}

/** The engines of demo users who sell. */
async function sellersOf(records: Records, tx: Queryable): Promise<Records[]> {
  const users = await tx.query<{ id: number }>({
    text: `select id from users where login in ('manager', 'operator') order by login`,
  })
  const actors = await Promise.all(users.map(({ id }) => actorOfUser(tx, id)))
  return actors.flatMap((actor) => (actor?.permissions.editSalesManagement ? [records.as(actor)] : []))
}

interface Stages {
  work: number[]
  done: number
  loss: number
}

async function makeFunnel(records: Records, demo: DemoFunnel): Promise<Stages> {
  const { name, canCompleteDealsWithoutOffers } = demo
  const { id: idFunnel } = await records.create(Funnel, { name, canCompleteDealsWithoutOffers })
  const made = await records.rows(Stage, { 'filter[idFunnel]': String(idFunnel) })
  const at = (idType: number) => made.filter((stage) => stage.idType === idType).map((stage) => stage.id)
  const [done, loss] = [at(DONE)[0] as number, at(LOSS)[0] as number]
  const work = at(1)
  for (const [i, stage] of demo.stages.entries()) {
    if (work[i]) {
      await records.update(Stage, work[i], stage)
    } else {
      const extra = await records.create(Stage, { ...stage, idFunnel })
      await records.move(Stage, extra.id, { before: done })
      work.push(extra.id)
    }
  }
  await records.update(Stage, done, { name: demo.done })
  return { work, done, loss }
}

interface Plan {
  funnel: DemoFunnel
  stages: Stages
  sources: readonly number[]
  reasons: readonly number[]
  companies: readonly number[]
  /** Ids by the name and by the short name. */
  services: ReadonlyMap<string, number>
  serial: number
  /** 0 for the oldest, up to 1 for the newest. */
  place: number
}

async function makeDeal(records: Records, tx: Queryable, plan: Plan): Promise<void> {
  const { funnel, stages, serial, place } = plan
  const pick = <T>(list: readonly T[], shift = 0): T => list[(serial * 7 + shift) % list.length] as T
  const [wish, price, offered] = funnel.wishes[serial % funnel.wishes.length] as DemoFunnel['wishes'][number]
  const fio = demoPeople[(serial * 3) % demoPeople.length] as string
  const [surname = '', name = '', middleName = ''] = fio.split(' ')
  const isGroup = /сотрудник/.test(wish)
  const created = Date.now() - Math.round((1 - place) * SPAN * DAY) - (serial % 9) * 3_600_000
  const path = pathOf(plan)
  const isOpen = path.at(-1) !== stages.done && path.at(-1) !== stages.loss
  const source = pick(plan.sources)
  const utm = demoSources[plan.sources.indexOf(source)]?.[1]
  const lead = await records.create(Lead, {
    title: `${wish}: ${surname} ${name[0]}.`,
    price: price ?? (path.length > 3 ? 4200 : null),
    idStage: path[0] as number,
    idSource: source,
    ...(utm ? { utm: { utm_source: utm, utm_medium: 'cpc' } } : {}),
    ...(isGroup ? { idCompany: pick(plan.companies) } : {}),
    ...(isOpen
      ? { dateExpected: plusDays(dayIn(commonSettings.timeZone.byDefault, Date.now()), (serial % 12) * 9 - 6) }
      : {}),
    ...(isOpen && serial % 3 !== 0
      ? {
          nextStep: pick(funnel.nextSteps),
          dateNextStep: new Date(Date.now() + ((serial % 8) - 1) * DAY + 3_600_000).toISOString(),
        }
      : {}),
  })
  await records.create(Contact, {
    idLead: lead.id,
    surname,
    name,
    middleName,
    // Phone numbers of an unassigned range.
    phone: `+7900001${1000 + ((serial * 3) % demoPeople.length)}`,
    ...(serial % 2 ? { email: `pacient${serial}@mail.example` } : {}),
    gender: /на$/.test(middleName) ? 'female' : 'male',
    city: 'Тверь',
  })
  if (path.length > 3 || serial % 4 === 0) await makeOffer(records, plan, { idLead: lead.id, name: wish }, offered)
  if (serial % 3 === 0) {
    const [tag, color] = pick(demoTags)
    await records.create(LeadTag, { idLead: lead.id, name: tag, color })
  }
  if (serial % 2) await records.create(LeadComment, { idLead: lead.id, message: `<p>${pick(demoComments)}</p>` })
  for (const idStage of path.slice(1)) {
    const isLoss = idStage === stages.loss
    await records.update(Lead, lead.id, {
      idStage,
      ...(isLoss ? { idLossReason: pick(plan.reasons, serial % 3), lossNote: 'Сказал по телефону' } : {}),
    })
  }
  await backdate(tx, lead.id, created, path.length)
}

/** The stages passed by the deal: more for an older one; every fourth old one was lost. */
function pathOf({ stages, serial, place }: Plan): number[] {
  const far = Math.min(stages.work.length, Math.floor((1 - place) * 3 + (serial % 4)) + 1)
  const path = stages.work.slice(0, Math.max(1, far))
  if (place > 0.72) return path.slice(0, 1 + (serial % stages.work.length))
  if (serial % 4 === 0) return [...path.slice(0, 1 + (serial % 3)), stages.loss]
  return serial % 5 === 0 ? path : [...stages.work, stages.done]
}

/** One to three lines, at the prices of the catalogue. */
async function makeOffer(
  records: Records,
  { services, serial }: Plan,
  offer: { idLead: number; name: string },
  offered: readonly string[],
): Promise<void> {
  const { id: idOffer } = await records.create(Offer, offer)
  for (const name of offered.slice(0, 1 + (serial % 3))) {
    const idService = services.get(name)
    if (idService === undefined) throw new Error(`no service «${name}» in the demo catalogue`)
    await records.create(OfferService, {
      idOffer,
      idService,
      discount: serial % 3 === 0 ? 200 : 0,
      idStatus: serial % 2 ? 1 : 4,
    })
  }
}

async function servicesByName(records: Records): Promise<Map<string, number>> {
  const services = await records.rows(Service, { limit: '500', 'filter[active]': 'true' })
  return new Map(
    services.flatMap(({ id, nameService, shortNameService }) =>
      [nameService, shortNameService].flatMap((name) => (name ? [[name, id] as const] : [])),
    ),
  )
}

/** Moves the deal's creation and steps to the past. */
async function backdate(tx: Queryable, idLead: number, created: number, steps: number): Promise<void> {
  const way = Math.min((Date.now() - created) * 0.7, steps * 4 * DAY)
  const begin = sql`to_timestamp(${created / 1000}::float8)`
  // Deals move faster at first and slower later, with variation.
  const pace = 1 + (idLead % 7) / 6
  const after = (n: Sql) =>
    sql`${begin} + make_interval(secs => ${way / 1000}::float8 * (${n}::float8 / ${steps}::float8) ^ ${pace}::float8)`
  await tx.query(sql`
    with stays as (
      select v."id", row_number() over (order by v."id") - 1 as n from sales_management_lead_visits v where v."idLead" = ${idLead}
    ), visits as (
      update sales_management_lead_visits v set "dateStart" = ${after(raw('stays.n'))},
        "dateEnd" = case when v."dateEnd" is not null then ${after(raw('(stays.n + 1)'))} end
      from stays where stays."id" = v."id" returning v."dateStart"
    )
    update sales_management_leads set "dateCreate" = ${begin}, "dateStage" = (select max("dateStart") from visits),
      "dateChange" = (select max("dateStart") from visits), "dateClosed" = case when "dateClosed" is not null then (select max("dateStart") from visits) end
    where "id" = ${idLead}`)
  await tx.query(
    sql`update sales_management_lead_comments set "dateCreate" = ${begin} + interval '3 hours' where "idLead" = ${idLead}`,
  )
}
