/** Demo clinic: two insurers and an employer with contracts, rules and lists of the insured. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { InsuranceProgramme, Organization } from '@ordinator/model/areas/filials/organization'
import { PayerContract, ProgrammeRule } from '@ordinator/model/areas/payers/contract'
import { InsuredPerson } from '@ordinator/model/areas/payers/insured'
import { PayerRegistry, RegistryLine } from '@ordinator/model/areas/payers/registry'
import type { Create } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { dayOf } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'

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
    if (at === 0) await sendRegistry(system, tx, idContract, today)
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
  }
}

/** Lines of a registry that was sent: accepted, cut and not decided. */
const ANSWERS = ['accepted', 'accepted', 'accepted', 'cut', 'claimed', 'claimed'] as const

/** A registry of this month, of visits that were held, with the answers of the insurer so far. */
async function sendRegistry(system: Records, tx: Tx, idContract: number, today: string): Promise<void> {
  const lines = await tx.query<{ id: number; idCustomer: number; sum: number; day: string; service: string }>(sql`
    select c."localDate"::text as day, s."nameService" as service, l."id"::int as id, a."idCustomer"::int as "idCustomer", (l."price" * l."qty")::float8 as sum
    from coupon_services l join coupons c on c."id" = l."idCoupon" join appointments a on a."id" = c."idAppointment"
      join services s on s."id" = l."idService"
    where l."completed" and not l."deleted" and l."price" > 0 and c."localDate" < ${today}::date
    order by c."localDate" desc, l."id" limit ${ANSWERS.length}`)
  const { id: idRegistry } = await system.create(PayerRegistry, {
    ...{ idContract, month: `${today.slice(0, 7)}-01`, number: 1, state: 'sent' },
    ...{ dateSent: today, dateDue: plusDays(today, 30) },
  } as Create<typeof PayerRegistry>)
  for (const [at, { id: idCouponService, idCustomer, sum, day, service }] of lines.entries()) {
    const state = ANSWERS[at] ?? 'claimed'
    const number = { number: String(at + 1), policy: `770-${2000 + at}` }
    const values = { ...number, service, date: formatDay(day), sum: sum.toFixed(2) }
    await system.create(RegistryLine, {
      ...{ idRegistry, idCouponService, idCustomer, sum, state, values },
      ...(state === 'accepted' && { accepted: sum }),
      ...(state === 'cut' && { cut: sum, reason: 'Нет гарантийного письма', reasonCode: '2.1' }),
    } as Create<typeof RegistryLine>)
  }
}
