/**
 * Operations of the terminal. Each has our own name, stored and claimed before the request; after a failure the name is
 * queried first. A name that the terminal does not know will never be carried out, so the operation may be retried
 * under another name.
 */
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import { kopecks } from '@ordinator/model/areas/money/rules'
import { formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { type Claims, type ClaimToken, claim, extendClaim, releaseClaim, releaseDead } from '#platform/claim.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { Exchanged } from '#platform/exchange.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { terminalOf } from './connect.ts'
import { DeviceError, type TerminalAnswer } from './devices.ts'
import { refundedSettlement } from './refundedSettlement.ts'

/** An error that names the payment, so that a person can enter its outcome. */
const handOff = (idPayment: number, code: 'manual' | 'unknown', message: string, sum: number): HttpError =>
  new HttpError(409, message, { code, body: { name: 'Conflict', status: 409, message, code, idPayment, sum } })

/** The bank's reference of the payment that a refund returns. */
async function paidBy({ db }: AppContext, idRefundOf: number | null, method: string): Promise<string | undefined> {
  if (idRefundOf === null) return undefined
  const found = await db.one<{ rrn: string | null }>(sql`select "terminal"->>'rrn' as rrn from payments_parts
    where "idPayment" = ${idRefundOf} and "method" = ${method} order by "id" limit 1`)
  return found?.rrn ?? undefined
}

/**
 * Claims an idle operation for manual settlement.
 * @returns the part that waits for its outcome
 * @throws HttpError 409 `busy`, `state`
 */
export async function takeInHand(tx: Tx, idPayment: number, isManual: boolean): Promise<number> {
  const found = await tx.one<{ idPart: number; state: string; isBusy: boolean }>(sql`
    select o."idPart"::int as "idPart", t."terminalState" as state, o."claimedUntil" > now() as "isBusy"
    from payments_parts t join terminal_operations o on o."idPart" = t."id"
    where t."idPayment" = ${idPayment} and t."terminalState" in ('sending', 'unknown') order by t."id" limit 1 for update of o`)
  if (!found) throw new HttpError(409, 'Исход этой операции уже известен', { code: 'state' })
  if (found.isBusy) throw new HttpError(409, 'Операция на терминале ещё идёт', { code: 'busy' })
  if (!isManual && found.state !== 'unknown')
    throw new HttpError(409, 'Сначала спросите терминал: он может ответить сам', { code: 'state' })
  return found.idPart
}

/** Longer than the timeouts of the query and the charge together. */
const CLAIM_SECONDS = 60
/** The bank's program waits for the patient. */
const COMMAND_CLAIM_SECONDS = 240

/** Stores and claims an operation; the caller carries it out. */
export const startOperation = ({ life }: AppContext, tx: Tx, idPart: number) =>
  tx.query(sql`insert into terminal_operations ("idPart", "life", "claimedUntil")
    values (${idPart}, ${life.id}::uuid, now() + make_interval(secs => ${CLAIM_SECONDS}))`)

/** Names the claim that `startOperation` has made for this process. */
async function extendOwn({ db, life }: AppContext, idPart: number, seconds: number): Promise<ClaimToken | undefined> {
  const own = await db.one<{ token: string }>(sql`select "claimedUntil"::text as token from terminal_operations
    where "idPart" = ${idPart} and "life" = ${life.id}::uuid`)
  return own && extendClaim(db, CLAIMS, [idPart], own.token, seconds)
}

const CLAIMS: Claims = { table: 'terminal_operations', key: ['idPart'] }

/** Ends the claims of a killed process: its successor queries the terminal first. */
export const releaseOperations = ({ db }: AppContext, life: string) => releaseDead(db, CLAIMS, life)

/**
 * Carries out the first pending part of a payment at the terminal.
 * @param isNew started just now by the caller: the terminal cannot know it
 * @param again retry an operation that never reached the terminal; else it counts as refused
 * @returns undefined when the outcome of every part is known
 * @throws HttpError 409: `busy` while another process carries it out, `unknown` without a reply
 */
export async function runTerminal(
  app: AppContext,
  idPayment: number,
  isNew: boolean,
  { again = true }: { again?: boolean } = {},
): Promise<{ part: number; answer: TerminalAnswer } | undefined> {
  const system = app.engine.for(systemActor).asSystem
  const payment = await system.row(Payment, idPayment)
  const [part] = await system.rows(PaymentPart, {
    'filter[idPayment]': idPayment,
    'filter[terminalState][in]': 'sending,unknown',
    sort: 'id',
  })
  if (!part) return undefined
  const waiting = part
  const desk = await system.row(CashDesk, payment.idDesk)
  const terminal = terminalOf(app, desk)
  const claimSeconds = desk.terminalMode === 'command' ? COMMAND_CLAIM_SECONDS : CLAIM_SECONDS
  if (!terminal) throw new HttpError(409, 'Терминал не подключён', { code: 'device' })
  let token = await (isNew
    ? extendOwn(app, part.id, claimSeconds)
    : claim(app.db, CLAIMS, [part.id], app.life, claimSeconds))
  if (!token) throw new HttpError(409, 'Операция на терминале ещё идёт', { code: 'busy' })
  const { attempt } = (await app.db.one<{ attempt: number }>(
    sql`select "attempt" from terminal_operations where "idPart" = ${part.id}`,
  )) as { attempt: number }
  const release = () => releaseClaim(app.db, CLAIMS, [waiting.id], token as string)
  if (terminal.isManual) {
    // Release the claim: only the cashier's confirmation is pending.
    await release()
    const what = payment.kind === 'payment' ? 'Проведите на терминале' : 'Верните на терминале'
    throw handOff(payment.id, 'manual', `${what} ${formatMoney(part.sum)} и подтвердите`, part.sum)
  }
  const start = performance.now()
  const logExchange = (how: Pick<Exchanged, 'status' | 'error' | 'code'>) =>
    app.exchanged({
      adapter: 'terminal',
      operation: payment.kind === 'payment' ? 'Оплата картой' : 'Возврат на карту',
      key: `part-${part.id}`,
      about: { path: CashDesk.path, id: payment.idDesk },
      durationMs: performance.now() - start,
      ...how,
    })
  /** A declined card is not a fault of the terminal. */
  const concluded = async (answer: TerminalAnswer) => {
    await logExchange({ status: 'done', code: answer.isApproved ? undefined : 'declined' })
    return { part: part.id, answer }
  }
  const of = {
    kind: payment.kind,
    kopecks: kopecks(part.sum),
    rrn: await paidBy(app, payment.idRefundOf, part.method),
    receipt: desk.kktMode === 'outside' ? await refundedSettlement(app, payment, part) : undefined,
  }
  const name = (attempt: number) => `${payment.kind}-${part.id}-${attempt}`
  try {
    const known = isNew ? undefined : await terminal.ask(name(attempt), of)
    if (known) return await concluded(known)
    if (!isNew && !again)
      return { part: part.id, answer: { isApproved: false, message: 'Операция не дошла до терминала' } }
    return await charge(isNew ? 1 : await nextAttempt())
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    await logExchange({ status: 'network_error', error: error.message })
    await system.update(PaymentPart, part.id, { terminalState: 'unknown', terminal: { message: error.message } })
    await release()
    throw handOff(
      payment.id,
      'unknown',
      'Терминал не ответил: прошла ли операция, неизвестно. Повторите — сначала спросим терминал, второй раз деньги не спишутся',
      part.sum,
    )
  }

  /** @throws HttpError 409 `busy` if the claim is lost: another process may charge */
  async function nextAttempt(): Promise<number> {
    token = await extendClaim(app.db, CLAIMS, [waiting.id], token as string, claimSeconds)
    const next =
      token &&
      (await app.db.one<{ attempt: number }>(sql`update terminal_operations set "attempt" = "attempt" + 1
        where "idPart" = ${waiting.id} and "claimedUntil" = ${token}::timestamptz returning "attempt"`))
    if (!next) throw new HttpError(409, 'Операция на терминале ещё идёт', { code: 'busy' })
    return next.attempt
  }

  async function charge(attempt: number): Promise<{ part: number; answer: TerminalAnswer }> {
    try {
      const sum = kopecks(waiting.sum)
      const answer = await (payment.kind === 'payment'
        ? (terminal as NonNullable<typeof terminal>).pay(name(attempt), sum)
        : (terminal as NonNullable<typeof terminal>).refund(name(attempt), sum, of))
      return await concluded(answer)
    } catch (error) {
      // Refused before it began: nothing was charged.
      if (!(error instanceof DeviceError && error.isCertain)) throw error
      await logExchange({ status: 'network_error', error: error.message })
      return { part: waiting.id, answer: { isApproved: false, message: error.message } }
    }
  }
}
