/** Assets of the demo clinic's patients besides money: sold and used certificates, and bonuses. */
import { Certificate } from '@ordinator/model/areas/money/certificate'
import type { CashDesk } from '@ordinator/model/areas/money/desk'
import { Family, FamilyMember } from '@ordinator/model/areas/money/family'
import { FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { DONE, Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import { receiptOf, rubles } from '@ordinator/model/areas/money/rules'
import type { Create, Row } from '@ordinator/model/entity'
import { plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { give } from './bonuses.ts'
import { certificateAccount } from './certificates.ts'
import { balanceOf, dayOf, post } from './ledger.ts'

interface Place {
  desk: Pick<Row<typeof CashDesk>, 'id' | 'idFilial'>
  idOrganization: number
  idAuthor: number
  patients: readonly { id: number }[]
}

/** Sold at the first desk today: unused, partly used, used up, and expired. */
export async function demoCertificates(
  records: Records,
  tx: Tx,
  { desk, idOrganization, idAuthor, patients }: Place,
): Promise<void> {
  const system = records.asSystem
  const today = await dayOf(tx, desk.idFilial)
  const shift = await tx.one<{ id: number }>(
    sql`select "id" from cash_shifts where "idDesk" = ${desk.id} and "dateClosed" is null`,
  )
  const owing: { id: number; owed: number }[] = []
  for (const { id } of patients) {
    const owed = await balanceOf(tx, id, idOrganization)
    if (owed > 0) owing.push({ id, owed })
  }
  if (!shift) return
  let fd =
    (
      await tx.one<{ fd: number }>(
        sql`select "lastFd" as fd from simulated_devices where "idDesk" = ${desk.id} and "device" = 'kkt'`,
      )
    )?.fd ?? 1
  const kept = { idOrganization, idDesk: desk.id, idShift: shift.id, localDate: today, idAuthor }
  const sold = [
    { number: 'ПС-0118', sum: 5_000_00, days: 180 },
    { number: 'ПС-0119', sum: 3_000_00, days: 150, used: 780_00 },
    { number: 'ПС-0097', sum: 500_00, days: 90, used: 500_00 },
    { number: 'ПС-0031', sum: 2_000_00, days: -12 },
  ]
  for (const [at, { number, sum, days, used = 0 }] of sold.entries()) {
    const buyer = patients[at + 2]?.id as number
    const made = await system.create(Certificate, {
      number,
      dateTo: plusDays(today, days),
      idOrganization,
      idBuyer: buyer,
      sum: rubles(sum),
    } as Create<typeof Certificate>)
    const account = certificateAccount(made.id, idOrganization)
    await pay({ idCustomer: buyer, idCertificate: made.id, sum, account, debt: 0 })
    const payer = owing.find(({ owed }) => owed >= used)
    if (used === 0 || !payer) continue
    payer.owed -= used
    await pay({ idCustomer: payer.id, byCertificate: made.id, sum: used, account, debt: used })
  }
  await tx.query(sql`update simulated_devices set "lastFd" = ${fd} where "idDesk" = ${desk.id} and "device" = 'kkt'`)

  async function pay(one: {
    idCustomer: number
    idCertificate?: number
    byCertificate?: number
    sum: number
    account: ReturnType<typeof certificateAccount>
    debt: number
  }): Promise<void> {
    const { idCustomer, idCertificate = null, byCertificate = null, sum, account, debt } = one
    const method = byCertificate ? ('certificate' as const) : ('card' as const)
    const { id } = await system.create(Payment, {
      ...kept,
      kind: 'payment',
      idStatus: DONE,
      idCustomer,
      idCertificate,
      sum: rubles(sum),
    } as Create<typeof Payment>)
    await system.create(PaymentPart, {
      idPayment: id,
      method,
      sum: rubles(sum),
      idCertificate: byCertificate,
    } as Create<typeof PaymentPart>)
    if (method === 'card')
      await tx.query(sql`insert into simulated_charges ("idDesk", "operation", "kind", "amount")
        values (${desk.id}, ${`demo-payment-${id}`}, 'pay', ${sum})`)
    const from = byCertificate ? account : { kind: 'desk' as const, idDesk: desk.id, idOrganization, method }
    const to = byCertificate ? { kind: 'patient' as const, idCustomer, idOrganization } : account
    await post(records, tx, {
      key: `payment:${id}`,
      kind: 'payment',
      localDate: today,
      idPayment: id,
      idShift: shift?.id ?? null,
      entries: [
        { account: from, amount: sum },
        { account: to, amount: -sum },
      ],
    })
    fd += 1
    await system.create(FiscalTask, {
      idDesk: desk.id,
      idShift: shift?.id ?? null,
      idPayment: id,
      kind: 'sell',
      status: 'done',
      key: `payment-${id}`,
      fd,
      fpd: String(1_000_000_000 + desk.id * 100_000 + fd),
      task: receiptOf({ lines: [], parts: [{ method, sum }], debt }) ?? null,
      dateDone: new Date().toISOString(),
    } as Create<typeof FiscalTask>)
  }
}

/** Some patients have bonuses; some expire soon, some are not valid yet. */
export async function demoBonuses(records: Records, tx: Tx, patients: readonly { id: number }[]): Promise<void> {
  const [usual] = await tx.query<{ id: number }>(
    sql`select "id" from discounts_bonus_programs where "active" order by "id" limit 1`,
  )
  if (!usual) return
  const today = await dayOf(tx, null)
  const day = (days: number) => plusDays(today, days)
  const earned = { kind: 'earned' as const, idProgram: usual.id, percent: 3 }
  for (const [at, { id: idCustomer }] of patients.slice(0, 12).entries()) {
    const given = { ...earned, idCustomer, comment: 'Оплата: приём врача', sum: (at + 2) * 41_50 }
    await give(records, tx, { ...given, dateFrom: day(-40), dateTo: day(325 - at * 7) })
    if (at % 3 === 0)
      await give(records, tx, { ...given, sum: 120_00 + at * 10_00, dateFrom: day(-340), dateTo: day(6 + at) })
    if (at % 4 === 1) await give(records, tx, { ...given, sum: 95_00 + at * 5_00, dateFrom: day(9), dateTo: day(374) })
    if (at % 5 === 2) {
      const reason = 'Ждали приёма больше часа'
      const manual = { idCustomer, kind: 'manual' as const, sum: 500_00, comment: reason, reason }
      await give(records, tx, { ...manual, dateFrom: today, dateTo: day(180) })
    }
  }
}

/** A family account: a payer with a prepayment, and two members. */
export async function demoFamily({ asSystem }: Records, tx: Tx, patients: readonly { id: number }[]): Promise<void> {
  const head = await tx.one<{ id: number }>(sql`
    select a."idCustomer"::int as id from ledger_accounts a join ledger_entries e on e."idAccount" = a."id"
    where a."kind" = 'patient' group by 1 having sum(e."amount") < 0 order by 1 limit 1`)
  if (!head) return
  const others = patients.filter(({ id }) => id !== head.id).slice(-2)
  const { id: idFamily } = await asSystem.create(Family, { idHead: head.id })
  for (const [at, { id: idCustomer }] of others.entries())
    await asSystem.create(FamilyMember, {
      idFamily,
      idCustomer,
      limitMonth: at === 0 ? 5000 : null,
      showsServices: at === 1,
    })
}
