/**
 * Nightly comparison of the books with what others know: the list of payments of each ЮKassa shop, the sums of the
 * registers' Z reports and of the terminals at the closing of a shift. A payment of ours that was never posted is posted
 * now; every other difference is reported once.
 */
import { differences, type Totals } from '@ordinator/model/areas/money/rules'
import { formatDateTime, formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { administrators } from '#areas/exchange/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { RemoteFault } from '#platform/remote.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { deskDevices, shopOf } from './connect.ts'
import type { DeskDevices } from './devices.ts'
import { entriesOfSql } from './ledger.ts'
import { isPosted, settleLink } from './links/settlement.ts'
import { AnswerFault, type RemotePayment } from './yookassa.ts'

/** Days that each comparison looks back over: it may have failed for two nights. */
const DAYS = 3
const DAY_MS = 86_400_000
/** Milliseconds: a payment may be on its way to us. */
const FRESH_MS = 10 * 60_000
/** Differences of a desk that its warning shows. */
const SHOWN_DAYS = 14
const JOB = 'money.reconcile'

interface Difference {
  key: string
  idDesk: number
  words: string
}
type Desk = DeskDevices & { name: string }

export function startReconciling(app: AppContext): void {
  app.jobs.register(JOB, { cron: '40 4 * * *', handler: () => reconcile(app) })
}

async function reconcile(app: AppContext): Promise<void> {
  const desks = await app.db.query<Desk>(sql`select ${deskDevices}, d."name" from cash_desks d where not d."deleted"`)
  const found: Difference[] = []
  // Several desks may share a shop: its list is read once.
  const shops = [
    ...Map.groupBy(
      desks.filter(({ payShop }) => payShop),
      ({ payShop }) => payShop,
    ).values(),
  ]
  await oneByOne(
    app,
    JOB,
    shops.flatMap((own) => (own[0] ? [own[0]] : [])),
    async (desk) => void found.push(...(await ofShop(app, desk))),
  )
  await oneByOne(app, JOB, desks, async ({ id, name }) => void found.push(...(await ofShifts(app.db, id, name))))
  await report(app, found)
}

/** Payments that the shop has and the books do not. Those of our links are posted. */
async function ofShop(app: AppContext, desk: Desk): Promise<Difference[]> {
  const shop = await shopOf(app, desk)
  if (!shop) return []
  const now = Date.now()
  let there: RemotePayment[]
  try {
    there = await shop.payments(new Date(now - DAYS * DAY_MS), new Date(now - FRESH_MS))
  } catch (error) {
    if (!(error instanceof RemoteFault || error instanceof AnswerFault)) throw error
    const day = new Date(now).toISOString().slice(0, 10)
    return [{ key: `shop-${desk.id}-${day}`, idDesk: desk.id, words: `Сверить с ЮKassa не удалось: ${error.message}` }]
  }
  const found: Difference[] = []
  for (const remote of there.filter(({ status }) => status === 'succeeded')) {
    if (await isPosted(app.db, remote.id)) continue
    const link = await linkOf(app.db, remote)
    if (link !== undefined) await settleLink(app, link, remote.id)
    const isMended = link !== undefined && (await isPosted(app.db, remote.id))
    const sum = remote.sum === undefined ? 'не в рублях' : formatMoney(remote.sum / 100)
    found.push({
      key: `yookassa-${remote.id}`,
      idDesk: desk.id,
      words: isMended
        ? `Оплата ЮKassa ${remote.id} (${sum}) не была проведена: проведена сейчас`
        : `В ЮKassa есть оплата ${remote.id} (${sum}), которой нет в кассе: найдите её в кабинете ЮKassa и проведите или верните`,
    })
  }
  return found
}

const linkOf = async (db: Queryable, { metadata }: RemotePayment): Promise<number | undefined> => {
  const named = String(metadata.link ?? '')
  if (!/^\d{1,15}$/.test(named)) return undefined
  return (
    await db.one<{ id: number }>(sql`select "idLink"::int as id from payment_link_states
    where "idLink" = ${Number(named)}`)
  )?.id
}

/** Closed shifts whose sums differ from those of the register or the terminal. */
async function ofShifts(db: Queryable, idDesk: number, name: string): Promise<Difference[]> {
  const { timeZone } = await readCommonSettings(db)
  const shifts = await db.query<{
    id: number
    closed: string
    crm: Totals | null
    kkt: Totals | null
    terminal: number | null
    card: number
  }>(sql`select s."id"::int as id, s."dateClosed" as closed, s."closing"->'crm' as crm,
      nullif(s."closing"->'kkt', 'null'::jsonb) as kkt, (s."closing"->>'terminal')::float8 as terminal,
      coalesce((select sum(e."amount") from ledger_txs t cross join ${entriesOfSql('desk')}
        where e."method" in ('card', 'sbp') and t."idShift" = s."id" and t."kind" in ('payment', 'refund')), 0)::float8 as card
    from cash_shifts s where s."idDesk" = ${idDesk} and s."dateClosed" > now() - make_interval(days => ${DAYS})
    order by s."id"`)
  const words = (kopecks: number) => formatMoney(Math.abs(kopecks) / 100)
  return shifts.flatMap(({ id, closed, crm, kkt, terminal, card }) => {
    const shift = `${name}, смена закрыта ${formatDateTime(closed, timeZone)}`
    const found: Difference[] = []
    const byRegister = crm && kkt ? differences(crm, kkt).reduce((all, one) => all + Math.abs(one.sum), 0) : 0
    if (byRegister !== 0)
      found.push({
        key: `register-${id}-${byRegister}`,
        idDesk,
        words: `${shift}: Z-отчёт регистратора расходится с кассой на ${words(byRegister)}`,
      })
    if (terminal !== null && terminal !== card)
      found.push({
        key: `terminal-${id}-${terminal - card}`,
        idDesk,
        words: `${shift}: на терминале ${terminal > card ? 'больше' : 'меньше'}, чем в кассе, на ${words(terminal - card)}`,
      })
    return found
  })
}

/** Keeps new differences, and reports them to the administrators in one notice. */
async function report(app: AppContext, found: readonly Difference[]): Promise<void> {
  if (found.length === 0) return
  await app.engine.for(systemActor).tx(async (records, tx) => {
    const fresh = await tx.query<{ words: string }>(sql`insert into money_differences ("key", "idDesk", "words")
      select d."key", d."idDesk", d."words" from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
        as d("key" text, "idDesk" bigint, "words" text)
      on conflict ("key") do nothing returning "words"`)
    if (fresh.length === 0) return
    await notify({ actor: systemActor, tx, records }, await administrators(tx), {
      kind: 'money.reconcile',
      title: `Сверка денег: расхождений ${fresh.length}`,
      text: fresh
        .map(({ words }) => words)
        .join('. ')
        .slice(0, 900),
      link: '/integrations',
    })
  })
}

/** Recent differences of a desk, the newest first, for its warnings in «Интеграции» and «Состояние системы». */
export const differencesOf = async (db: Queryable, idDesk: number): Promise<string[]> =>
  (
    await db.query<{ words: string }>(sql`select "words" from money_differences
      where "idDesk" = ${idDesk} and "dateCreate" > now() - make_interval(days => ${SHOWN_DAYS}) order by "id" desc limit 3`)
  ).map(({ words }) => words)
