/** The answer of a payer to a registry: what it accepts and cuts, what becomes of a cut, and its payment. */
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { payerCalls } from '@ordinator/model/areas/payers/calls'
import { PayerContract } from '@ordinator/model/areas/payers/contract'
import { PayerRegistry, RegistryLine } from '@ordinator/model/areas/payers/registry'
import type { RegistryLineState } from '@ordinator/model/areas/payers/rules'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { dayOf, lockCustomers, post, settleAccount } from '#areas/money/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { lockContract } from './registries.ts'

/** A line as the answer to it is judged. */
export interface Answered {
  sum: number
  state: RegistryLineState
  /** What was cut has been claimed again, charged or written off. */
  settled: boolean
}

export interface Answer {
  /** Rubles. */
  cut: number
  reason?: string | undefined
  code?: string | undefined
}

/** SQL: what is known of a line `z`. */
export const answeredSql = sql`z."sum"::float8 as sum, z."state", exists (select 1 from payer_moves m where m."idLine" = z."id") as settled`

/** What is wrong with an answer to a line, by its field. */
export function answerFaults(
  line: Answered,
  { cut, reason }: Answer,
): { field: 'id' | 'cut' | 'reason'; message: string }[] {
  if (line.settled || line.state === 'reissued') return [{ field: 'id', message: 'Снятое по этой строке уже решено' }]
  if (kopecks(cut) > kopecks(line.sum)) return [{ field: 'cut', message: `Заявлено только ${formatMoney(line.sum)}` }]
  if (cut > 0 && !reason) return [{ field: 'reason', message: 'Укажите причину' }]
  return []
}

/** Writes the answer to a line; a repeat replaces the former one. */
export const writeAnswer = (
  inside: Records,
  id: number,
  { sum }: Pick<Answered, 'sum'>,
  { cut, reason, code }: Answer,
) =>
  inside.asSystem.update(RegistryLine, id, {
    accepted: rubles(kopecks(sum) - kopecks(cut)),
    cut,
    state: cut > 0 ? 'cut' : 'accepted',
    reason: reason ?? null,
    reasonCode: code ?? null,
  })

/** @throws HttpError 409 when the registry is not sent, or is closed */
export function mustBeSent({ state }: Pick<Row<typeof PayerRegistry>, 'state'>): void {
  if (state !== 'sent') throw new HttpError(409, 'Отвечают на отправленный реестр', { code: 'transition' })
}

export const decide = operation(payerCalls.decide, ({ records: all, params: { id }, body }) =>
  all.tx(async (inside, tx) => {
    const registry = await inside.row(PayerRegistry, id)
    await lockContract(tx, registry.idContract)
    mustBeSent(await inside.row(PayerRegistry, id))
    const lines = await tx.query<Answered & { id: number }>(
      sql`select z."id"::int as id, ${answeredSql} from payer_registries_lines z where z."idRegistry" = ${id} for update`,
    )
    const known = new Map(lines.map((line) => [line.id, line]))
    const errors = body.lines.flatMap(({ id: idLine, ...answer }, at) => {
      const line = known.get(idLine)
      const faults = line ? answerFaults(line, answer) : [{ field: 'id', message: 'Такой строки в реестре нет' }]
      return faults.map(({ field, message }) => ({ field: `lines.${at}.${field}`, message }))
    })
    if (errors.length) throw new ValidationError(errors)
    const named = new Map(body.lines.map((line) => [line.id, line]))
    for (const line of lines) {
      const answer = named.get(line.id)
      if (answer) await writeAnswer(inside, line.id, line, answer)
      else if (body.isRestAccepted && line.state === 'claimed') await writeAnswer(inside, line.id, line, { cut: 0 })
    }
    return inside.row(PayerRegistry, id)
  }),
)

export const settleCut = operation(payerCalls.settleCut, {
  async once({ records: inside, tx, params: { id }, body }) {
    const line = await inside.row(RegistryLine, id)
    const registry = await inside.row(PayerRegistry, line.idRegistry)
    const contract = await inside.row(PayerContract, registry.idContract)
    await lockContract(tx, contract.id)
    await lockCustomers(tx, [line.idCustomer])
    const now = await tx.one<{ state: string; settled: boolean }>(sql`select "state",
      exists (select 1 from payer_moves m where m."idLine" = z."id") as settled from payer_registries_lines z where "id" = ${id} for update`)
    if (now?.state !== 'cut' || now.settled)
      throw new HttpError(409, 'По этой строке нечего решать: снятого нет или оно решено', { code: 'transition' })
    if (body.as === 'reissue') {
      await inside.asSystem.updateWhere(RegistryLine, ({ row }) => sql`${row}."id" = ${id}`, { state: 'reissued' })
      return id
    }
    const { idOrganization, idPayer } = contract
    const amount = kopecks(line.cut)
    const to =
      body.as === 'patient'
        ? { kind: 'patient' as const, idCustomer: line.idCustomer, idOrganization }
        : { kind: 'writeOff' as const, idOrganization }
    await move(inside, tx, {
      registry,
      idLine: id,
      as: body.as,
      amount,
      key: body.key,
      comment: body.reason,
      to,
      idPayer,
      idOrganization,
    })
    if (body.as === 'patient') await settleAccount(tx, line.idCustomer, idOrganization)
    return id
  },
  answer: async ({ params }) => ({ id: params.id }),
})

async function move(
  inside: Records,
  tx: Tx,
  by: {
    registry: Row<typeof PayerRegistry>
    idLine?: number
    as: 'paid' | 'patient' | 'writeOff'
    /** Kopecks. */
    amount: number
    key: string
    comment: string
    to: Parameters<typeof post>[2]['entries'][number]['account']
    idPayer: number
    idOrganization: number
    localDate?: string
  },
): Promise<void> {
  const { registry, idLine, as, amount, key, comment, to, idPayer, idOrganization } = by
  const idTx = await post(inside, tx, {
    ...{ key: `registry:${key}`, kind: as === 'paid' ? 'insurerPaid' : 'insurerRefused', comment },
    localDate: by.localDate ?? (await dayOf(tx, null)),
    entries: [
      { account: to, amount },
      { account: { kind: 'insurer', idInsurer: idPayer, idOrganization }, amount: -amount },
    ],
  })
  await tx.query(sql`insert into payer_moves ("idRegistry", "idLine", "as", "amount", "idTx")
    values (${registry.id}, ${idLine ?? null}, ${as}, ${rubles(amount)}, ${idTx ?? null})`)
}

interface Paying {
  key: string
  /** Rubles. */
  sum: number
  date: string
  document: string
  /** Where a sum that is too large is refused; absent: `sum`. */
  field?: string
}

/**
 * Books the payment of a registry to the bank account of our organization; what is paid and answered in full is closed.
 * @throws ValidationError when the sum is more than accepted and not paid; HttpError 409 for a draft
 */
export async function payRegistry(inside: Records, tx: Tx, id: number, by: Paying): Promise<void> {
  const before = await inside.row(PayerRegistry, id)
  const { idPayer, idOrganization } = await inside.row(PayerContract, before.idContract)
  await lockContract(tx, before.idContract)
  const registry = await inside.row(PayerRegistry, id)
  if (registry.state === 'draft') throw new HttpError(409, 'Реестр ещё не отправлен', { code: 'transition' })
  const rest = kopecks(registry.accepted) - kopecks(registry.paid)
  const amount = kopecks(by.sum)
  if (amount > rest)
    throw new ValidationError([
      { field: by.field ?? 'sum', message: `Принято и не оплачено ${formatMoney(rubles(rest))}` },
    ])
  const account = await tx.one<{ id: number }>(sql`select "id" from organizations_accounts
    where "idOrganization" = ${idOrganization} and not "deleted" order by "isMain" desc, "id" limit 1`)
  await move(inside, tx, {
    ...{ registry, as: 'paid', amount, key: by.key, idPayer, idOrganization, localDate: by.date },
    comment: `Оплата реестра № ${registry.number}, документ ${by.document}`,
    to: { kind: 'bank', idOrganization, mark: `account ${account?.id ?? 0}` },
  })
  if (amount === rest && kopecks(registry.open) === 0)
    await inside.asSystem.update(PayerRegistry, id, { state: 'closed' })
}

/** What a payer has accepted of a sent registry and not paid. */
export interface Due {
  id: number
  number: number
  inn: string
  kopecks: number
}

/** Accepted and not paid, of payers with an ИНН. */
export const duesOf = (db: Queryable): Promise<Due[]> =>
  db.query<Due>(sql`select y."id"::int as id, y."number", o."inn", d.kopecks
    from payer_registries y join payer_contracts k on k."id" = y."idContract" join organizations o on o."id" = k."idPayer"
      cross join lateral (select (100 * (
          coalesce((select sum(z."accepted") from payer_registries_lines z where z."idRegistry" = y."id"), 0)
          - coalesce((select sum(m."amount") from payer_moves m where m."idRegistry" = y."id" and m."as" = 'paid'), 0)
        ))::float8 as kopecks) d
    where y."state" = 'sent' and not y."deleted" and o."inn" is not null and d.kopecks > 0
    order by y."id" limit 1000`)

export const pay = operation(payerCalls.pay, {
  async once({ records: inside, tx, params: { id }, body }) {
    await payRegistry(inside, tx, id, body)
    return id
  },
  answer: ({ records: all, params }) => all.row(PayerRegistry, params.id),
})
