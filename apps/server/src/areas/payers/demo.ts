/** Demo clinic: two insurers and an employer with contracts, rules and lists of the insured. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { InsuranceProgramme, Organization } from '@ordinator/model/areas/filials/organization'
import { PayerContract, ProgrammeRule } from '@ordinator/model/areas/payers/contract'
import { InsuredPerson } from '@ordinator/model/areas/payers/insured'
import { RegistryLine } from '@ordinator/model/areas/payers/registry'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { chargeVisit, dayOf } from '#areas/money/index.ts'
import { clinicToday } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { payRegistry, writeAnswer } from './answers.ts'
import { cover, decide, insuredOf } from './coverage.ts'
import { collectMonth, freeze } from './registries.ts'

/** People of each list. */
const PEOPLE = 8

export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const [own] = await system.rows(Organization, { 'filter[kind]': 'own', sort: 'id', limit: 1 })
  const insurers = await system.rows(Organization, { 'filter[kind]': 'insurer', sort: 'id', limit: 2 })
  if (!own) return
  const employer = await system.create(Organization, {
    shortName: 'АО «Волжский завод»',
    kind: 'contractor',
  } as Create<typeof Organization>)
  const today = await dayOf(tx, null)
  const year = today.slice(0, 4)
  const groups = await tx.query<{
    id: number
  }>(sql`select s."idGroup" as id from services s where s."idGroup" is not null
    and s."active" and not s."deleted" group by 1 order by count(*) desc, 1 limit 2`)
  const customers = await system.rows(Customer, { sort: '-id', limit: PEOPLE * 3 + 10 })
  for (const [at, payer] of [...insurers, employer].entries()) {
    const isEmployer = payer.id === employer.id
    const { id: idContract } = await system.create(PayerContract, {
      ...{ idPayer: payer.id, idOrganization: own.id, number: `${isEmployer ? 'К' : 'ДМС'}-${year}/${at + 1}` },
      ...{ dateFrom: `${year}-01-01`, copay: at === 1 ? 20 : 0, letter: isEmployer ? 'never' : 'listed', payDays: 30 },
    } as Create<typeof PayerContract>)
    const [known] = await system.rows(InsuranceProgramme, { 'filter[idOrganization]': payer.id, sort: 'id', limit: 1 })
    const idProgramme =
      known?.id ??
      (
        await system.create(InsuranceProgramme, {
          ...{ idOrganization: payer.id, name: isEmployer ? 'Сотрудники' : 'Поликлиника' },
        } as Create<typeof InsuranceProgramme>)
      ).id
    const rules = [
      { kind: 'deny', diagnoses: 'F00-F99' },
      ...(groups[1] && !isEmployer ? [{ kind: 'letter', idGroup: groups[1].id }] : []),
      ...(groups[0] ? [{ kind: 'limit', idGroup: groups[0].id, qty: 5, period: 'year' }] : []),
      { kind: 'allow' },
    ]
    for (const rule of rules)
      await system.create(ProgrammeRule, { idProgramme, ...rule } as Create<typeof ProgrammeRule>)
    for (const [n, { id, surname, name, middleName, birthday }] of customers
      .slice(10 + at * PEOPLE, 10 + (at + 1) * PEOPLE)
      .entries())
      await system.create(InsuredPerson, {
        ...{
          idContract,
          idProgramme,
          policy: `${770 + at}-${String(1000 + n)}`,
          surname: surname ?? 'Без фамилии',
          name,
          middleName,
        },
        ...{ birthday, dateFrom: `${year}-01-01`, dateTo: `${year}-12-31`, idCustomer: id },
      } as Create<typeof InsuredPerson>)
    if (at === 0) await sendRegistry(records, tx, { idContract, idProgramme, year })
  }
}

/** Answers to the lines of a registry that was sent; the others are not decided. */
const ANSWERS = ['accepted', 'accepted', 'accepted', 'cut'] as const
const CLAIMED = 6
/** The newest given lines, among which they are chosen. */
const LOOKED_AT = 60

interface Given {
  idAppointment: number
  idCustomer: number
  idService: number
  idFilial: number
  idLine: number
  qty: number
  day: string
  month: string
  surname: string | null
  name: string | null
  birthday: string | null
}

/**
 * A registry of the newest month with visits that were held: their patients are on the list of the insurer, who has
 * answered a part and paid some of it. Charged, collected, answered and paid by the functions of the product.
 */
async function sendRegistry(
  records: Records,
  tx: Tx,
  { idContract, idProgramme, year }: { idContract: number; idProgramme: number; year: string },
): Promise<void> {
  const system = records.asSystem
  // The tables were filled in this transaction: without statistics the planner would choose a nested loop over all.
  await tx.query(sql`analyze coupon_services, coupons, appointments, customers`)
  const given = await tx.query<Given>(sql`
    with recent as materialized (
      select l."id", l."idCoupon", l."idService", l."qty", c."idAppointment", c."idFilial", c."localDate"
      from coupons c join coupon_services l on l."idCoupon" = c."id"
      where l."completed" and not l."cancelled" and not l."deleted" and l."price" > 0 and not l."isFixed"
        and c."localDate" < ${clinicToday} and c."localDate" >= ${`${year}-01-01`}::date
      order by c."localDate" desc, l."id" limit ${LOOKED_AT})
    select distinct on (l."localDate", a."idCustomer") a."id"::int as "idAppointment", a."idCustomer"::int as "idCustomer",
      l."idService"::int as "idService", l."idFilial"::int as "idFilial", l."id"::int as "idLine", l."qty"::float8 as qty,
      l."localDate"::text as day, date_trunc('month', l."localDate")::date::text as month, p."surname", p."name",
      to_char(p."birthday", 'DD.MM.YYYY') as birthday
    from recent l join appointments a on a."id" = l."idAppointment" join customers p on p."id" = a."idCustomer"
    where not exists (select 1 from ledger_lines k where k."idLine" = l."id")
      and not exists (select 1 from insured_persons i where i."idCustomer" = a."idCustomer")
      and 1 = (select count(*) from coupons d join coupon_services o on o."idCoupon" = d."id" where d."idAppointment" = a."id")
    order by l."localDate" desc, a."idCustomer", l."id" limit ${CLAIMED}`)
  const month = given[0]?.month
  if (month === undefined) return
  for (const [at, one] of given.filter((line) => line.month === month).entries()) {
    const { idCustomer, idLine, idAppointment, surname, name, birthday } = one
    await system.create(InsuredPerson, {
      ...{ idContract, idProgramme, policy: `770-${2000 + at}`, surname: surname ?? 'Без фамилии', name, birthday },
      ...{ dateFrom: `${year}-01-01`, dateTo: `${year}-12-31`, idCustomer },
    } as Create<typeof InsuredPerson>)
    const [insured] = await insuredOf(tx, idCustomer, one.day)
    if (!insured) continue
    const found = await decide(tx, { ...one, id: idLine, diagnosis: null }, insured)
    if (!found.isCovered) continue
    await cover(records, idLine, found)
    await chargeVisit(records, tx, idAppointment)
  }
  const id = await collectMonth(records, tx, idContract, month)
  await freeze(records, tx, { id, idContract })
  const lines = await system.rows(RegistryLine, { 'filter[idRegistry]': id, sort: 'id' })
  for (const [at, line] of lines.slice(0, ANSWERS.length).entries())
    await writeAnswer(
      records,
      line.id,
      line,
      ANSWERS[at] === 'cut' ? { cut: line.sum, reason: 'Нет гарантийного письма', code: '2.1' } : { cut: 0 },
    )
  const [first] = lines
  if (!first) return
  const paid = { key: `demo-registry-${id}`, sum: first.sum, date: await dayOf(tx, null), document: '118' }
  await payRegistry(records.as(systemActor), tx, id, paid)
}
