/**
 * The cash desks of the demo clinic: yesterday's closed shift, today's open shift, and debts and advances of patients.
 */
import { CashDesk, CashShift } from '@ordinator/model/areas/money/desk'
import { FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { LedgerAccount } from '@ordinator/model/areas/money/ledger'
import { byTerminal, type PaymentMethod } from '@ordinator/model/areas/money/methods'
import { DONE, Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import { receiptOf, refundReceipt, rubles } from '@ordinator/model/areas/money/rules'
import type { Create, Row } from '@ordinator/model/entity'
import { plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { demoBonuses, demoCertificates, demoFamily } from './demoLater.ts'
import { dayOf } from './ledger.ts'

const HOUR = 3_600_000
const DRAWER = 5_000_00
const charges = [1_800_00, 3_200_00, 950_00, 2_450_00, 4_100_00, 1_200_00, 5_600_00, 780_00] as const
const ways = ['card', 'cash', 'sbp', 'card', 'cash', 'transfer'] as const
const valid = { pastHooks: 'The desks of the demo clinic are of its own organization' }

interface Drafted {
  kind: 'payment' | 'refund'
  method: PaymentMethod
  sum: number
  patient: number
  shift: Row<typeof CashShift>
  of?: number
}

interface Entry {
  key: string
  kind: string
  day: string
  idPayment?: number
  idShift?: number
  from: number
  to: number
  sum: number
}

interface Making {
  system: Records['asSystem']
  tx: Tx
  idOrganization: number
  idAuthor: number
  /** Ids by names: `cash 5` for a desk, `patient 7`. */
  accounts: Map<string, number>
  entries: Entry[]
  /** Patients with accounts. */
  used: readonly { id: number }[]
  open(wanted: Create<typeof LedgerAccount> & Partial<Row<typeof LedgerAccount>>, name: string): Promise<unknown>
}

export async function demo(records: Records, _: unknown, tx: Tx): Promise<void> {
  const system = records.asSystem
  const own = await tx.one<{ id: number }>(
    sql`select "id" from organizations where "kind" = 'own' order by "id" limit 1`,
  )
  const patients = await tx.query<{ id: number }>(sql`select "id" from customers order by "id" limit 60`)
  const filials = await tx.query<{ id: number; name: string }>(
    sql`select "id", coalesce("shortFilialName", "nameFilial") as name from filials where "active" order by "id"`,
  )
  const people = await tx.query<{ id: number }>(
    sql`select "id" from users where "login" in ('manager', 'admin') order by "login"`,
  )
  const idAuthor = people[0]?.id
  if (!own || !idAuthor || patients.length < 10) return
  const idOrganization = own.id
  const desks = await makeDesks(records, idOrganization, filials)
  const accounts = new Map<string, number>()
  const open = async (wanted: Create<typeof LedgerAccount> & Partial<Row<typeof LedgerAccount>>, name: string) =>
    accounts.set(name, (await system.create(LedgerAccount, { ...wanted, idOrganization })).id)
  await open({ kind: 'revenue' }, 'revenue')
  const used = patients.slice(0, desks.length * charges.length * 2)
  for (const { id } of used) await open({ kind: 'patient', idCustomer: id }, `patient ${id}`)
  const making: Making = { system, tx, idOrganization, idAuthor, accounts, entries: [], used, open }
  for (const [place, desk] of desks.entries()) await fillDesk(making, desk, place)
  await postEntries(making)
  const [desk] = desks
  if (desk) await demoCertificates(records, tx, { desk, idOrganization, idAuthor, patients: used })
  await demoBonuses(records, tx, patients)
  await demoFamily(records, tx, patients)
}

/** A desk per branch, and one for payments online. */
async function makeDesks(
  records: Records,
  idOrganization: number,
  filials: readonly { id: number; name: string }[],
): Promise<{ id: number; idFilial: number }[]> {
  const system = records.asSystem
  const desks = await system.createMany(
    CashDesk,
    filials.map(({ id, name }, at) => ({
      name: `Касса, ${name}`,
      idFilial: id,
      idOrganization,
      kktMode: 'simulator' as const,
      kktModel: 'АТОЛ 30Ф',
      kktSerial: `0010600200${at + 1}`,
      terminalMode: 'simulator' as const,
    })),
    { ...valid, fields: ['id', 'idFilial'] },
  )
  // The desk of online payments has no cashier.
  const [main] = filials
  if (main)
    await system.create(CashDesk, {
      name: 'Оплата онлайн',
      idFilial: main.id,
      idOrganization,
      kktMode: 'simulator',
      terminalMode: 'simulator',
      isOnline: true,
    } as Create<typeof CashDesk>)
  return desks
}

/** Yesterday's closed shift and today's open one, with charges and payments. */
async function fillDesk(
  making: Making,
  { id: idDesk, idFilial }: { id: number; idFilial: number },
  place: number,
): Promise<void> {
  const { system, tx, idAuthor, accounts, entries, used, open } = making
  await open({ kind: 'safe', idDesk }, `safe ${idDesk}`)
  for (const method of ['cash', 'card', 'sbp', 'transfer'])
    await open({ kind: 'desk', idDesk, method } as never, `${method} ${idDesk}`)
  const today = await dayOf(tx, idFilial)
  const yesterday = plusDays(today, -1)
  const shift = (number: number, localDate: string, ago: number, more: object) =>
    system.create(CashShift, {
      idDesk,
      number,
      localDate,
      dateOpened: new Date(Date.now() - ago * HOUR).toISOString(),
      idCashier: idAuthor,
      opening: 0,
      ...more,
    } as Create<typeof CashShift>)
  const closed = await shift(1, yesterday, 26, { dateClosed: new Date(Date.now() - 14 * HOUR).toISOString() })
  const current = await shift(2, today, 2, {})
  entries.push({
    key: `demo-cash-${idDesk}`,
    kind: 'cashIn',
    day: yesterday,
    idShift: closed.id,
    from: accounts.get(`safe ${idDesk}`) as number,
    to: accounts.get(`cash ${idDesk}`) as number,
    sum: DRAWER,
  })
  const drafted: Drafted[] = charges.flatMap((charge, at) => {
    const patient = used[(place * charges.length + at) % used.length]?.id as number
    const day = at < 5 ? yesterday : today
    entries.push({
      key: `demo-charge-${idDesk}-${at}`,
      kind: 'charge',
      day,
      from: accounts.get('revenue') as number,
      to: accounts.get(`patient ${patient}`) as number,
      sum: charge,
    })
    // Some patients owe a part, some have paid ahead.
    const sum = at === 3 ? charge - 450_00 : at === 6 ? charge + 1_000_00 : at === 7 ? 0 : charge
    const method = ways[(place + at) % ways.length] as PaymentMethod
    return sum > 0 ? [{ kind: 'payment' as const, method, sum, patient, shift: at < 5 ? closed : current }] : []
  })
  drafted.push({ ...(drafted[1] as Drafted), kind: 'refund', sum: 200_00, of: 1, shift: current })
  await carry(making, drafted, idDesk)
  const cash = drafted.reduce(
    (sum, { method, kind, shift: { id }, sum: part }) =>
      method === 'cash' && id === closed.id ? sum + (kind === 'payment' ? part : -part) : sum,
    DRAWER,
  )
  await system.update(CashShift, closed.id, {
    idCloser: idAuthor,
    expected: rubles(cash),
    counted: rubles(cash),
    difference: 0,
    zNumber: 1,
  })
  await system.update(CashShift, current.id, { opening: rubles(cash) })
  await tx.query(sql`insert into simulated_devices ("idDesk", "device", "shift", "shiftOpened", "lastShift", "lastFd")
    values (${idDesk}, 'kkt', 2, ${current.dateOpened}, 2, ${drafted.length + 3}), (${idDesk}, 'terminal', null, null, 0, 0)`)
  // The terminal stores them too: an open shift agrees with it.
  const charged = drafted
    .filter(({ method }) => byTerminal(method))
    .map(({ kind, sum, shift: { dateOpened } }, at) => ({
      operation: `demo-${at}`,
      kind: kind === 'payment' ? 'pay' : 'refund',
      amount: sum,
      dateCreate: new Date(Date.parse(dateOpened) + HOUR).toISOString(),
    }))
  await tx.query(sql`insert into simulated_charges ("idDesk", "operation", "kind", "amount", "dateCreate")
    select ${idDesk}::bigint, c.* from jsonb_to_recordset(${JSON.stringify(charged)}::jsonb)
      as c("operation" text, "kind" text, "amount" bigint, "dateCreate" timestamptz)`)
}

/** Payments and refunds of a desk with their parts, receipts and entries. */
async function carry(making: Making, drafted: readonly Drafted[], idDesk: number): Promise<void> {
  const { system, idOrganization, idAuthor, accounts, entries } = making
  const made: number[] = []
  // A refund refers to its payment, so payments are created first.
  for (const kind of ['payment', 'refund'] as const) {
    const some = drafted.filter((one) => one.kind === kind)
    const rows = await system.createMany(
      Payment,
      some.map(({ sum, patient, shift, of }) => ({
        kind,
        idStatus: DONE,
        idCustomer: patient,
        idOrganization,
        idDesk,
        idShift: shift.id,
        localDate: shift.localDate,
        sum: rubles(sum),
        idAuthor,
        dateCreate: new Date(Date.parse(shift.dateOpened) + HOUR).toISOString(),
        ...(of !== undefined && { idRefundOf: made[of] as number, comment: 'Услуга оказана не полностью' }),
      })),
    )
    made.push(...rows.map(({ id }) => id))
    await system.createMany(
      PaymentPart,
      some.map(({ method, sum }, at) => ({ idPayment: rows[at]?.id as number, method, sum: rubles(sum) })),
    )
    await system.createMany(
      FiscalTask,
      some.map(({ method, sum, shift }, at) => {
        const idPayment = rows[at]?.id as number
        const parts = [{ method, sum }]
        const fd = 2 + (kind === 'refund' ? drafted.length - 1 : at)
        return {
          idDesk,
          idShift: shift.id,
          idPayment,
          kind: kind === 'payment' ? ('sell' as const) : ('sellReturn' as const),
          status: 'done' as const,
          key: `${kind}-${idPayment}`,
          fd,
          fpd: String(1_000_000_000 + idDesk * 100_000 + fd),
          task: (kind === 'payment' ? receiptOf({ lines: [], parts, debt: sum }) : refundReceipt([], parts)) ?? null,
          dateDone: shift.dateOpened,
        }
      }),
    )
    for (const [at, { method, sum, patient, shift }] of some.entries()) {
      const [desk, owner] = [
        accounts.get(`${method} ${idDesk}`) as number,
        accounts.get(`patient ${patient}`) as number,
      ]
      entries.push({
        key: `${kind}:${rows[at]?.id}`,
        kind,
        day: shift.localDate,
        idPayment: rows[at]?.id as number,
        idShift: shift.id,
        ...(kind === 'payment' ? { from: owner, to: desk } : { from: desk, to: owner }),
        sum,
      })
    }
  }
}

async function postEntries({ tx, idAuthor, entries }: Making): Promise<void> {
  await tx.query(sql`with said as (
      select * from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e("key" text, "kind" text, "day" date,
        "idPayment" bigint, "idShift" bigint, "from" bigint, "to" bigint, "sum" bigint)
    ), txs as (
      insert into ledger_txs ("key", "kind", "localDate", "idPayment", "idShift", "comment", "idUser")
      select "key", "kind", "day", "idPayment", "idShift", case "kind" when 'charge' then 'Приём врача' end, ${idAuthor}
      from said returning "id", "key"
    )
    insert into ledger_entries ("idTx", "idAccount", "amount")
    select t."id", x.account, x.amount from txs t join said s using ("key")
    cross join lateral (values (s."to", s."sum"), (s."from", -s."sum")) x(account, amount)`)
  await tx.query(sql`insert into ledger_credits ("idTx", "idAccount", "idPayment", "free")
    select t."id", a."id", p."id", (p."sum" - coalesce((select sum(b."sum") from payments b where b."idRefundOf" = p."id"), 0)) * 100
    from payments p join ledger_txs t on t."idPayment" = p."id" join ledger_accounts a on a."kind" = 'patient'
      and a."idCustomer" = p."idCustomer" and a."idOrganization" = p."idOrganization"
    where p."kind" = 'payment'`)
}
