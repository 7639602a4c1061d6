/** A link for remote payment by a patient: its state, its payment service, its creation and end. */
import { randomBytes } from 'node:crypto'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { MembershipTerms } from '@ordinator/model/areas/memberships/terms'
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import { PaymentLink } from '@ordinator/model/areas/money/link'
import { kopecks } from '@ordinator/model/areas/money/rules'
import type { Create, Row } from '@ordinator/model/entity'
import { plusDays } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { barsOf } from '#platform/barcodes.ts'
import type { Db, Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { once } from '#records/once.ts'
import type { Records } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'
import { LINK_ABOUT } from '../connect.ts'
import { dayOf } from '../ledger.ts'
import { checkChosen } from '../lines.ts'
import { paymentScope } from '../scope.ts'
import { workingDesk } from '../shifts.ts'
import { refreshPrices } from '../visitPrices.ts'

export type LinkRow = Row<typeof PaymentLink>
type Desk = Row<typeof CashDesk>

export const paymentLinks = records(PaymentLink, { scope: paymentScope })

/** Hours for which ЮKassa certainly knows the key of an attempt: an hour less than it promises. */
export const KEY_HOURS = 23

export interface State {
  token: string
  takeKey: string
  attempt: number
  idProvider: string | null
  url: string | null
  /** When the attempt was first sent; null: not yet. */
  dateTry: string | null
  /** Its key may be forgotten: sent again, it could make a second payment. */
  isOld: boolean
}

const stateSql = sql`"token", "takeKey", "attempt", "idProvider", "url", "dateTry",
  coalesce("dateTry" < now() - make_interval(hours => ${KEY_HOURS}), false) as "isOld"`

export const stateOf = async (db: Db, id: number): Promise<State> =>
  (await db.one<State>(sql`select ${stateSql} from payment_link_states where "idLink" = ${id}`)) as State

export const addressOf = (app: AppContext, { token }: Pick<State, 'token'>): string =>
  `${app.config.publicUrl}/pay/${token}`

/** URL of a link. */
export const linkAddress = async (app: AppContext, id: number): Promise<string> =>
  addressOf(app, await stateOf(app.db, id))

export async function linkBody(app: AppContext, link: LinkRow) {
  const { id, status, sum, dateTo, idPayment, error } = link
  const [state, payee] = await Promise.all([stateOf(app.db, id), payeeOf(app.db, link)])
  const url = addressOf(app, state)
  return { id, status, sum, about: aboutOf(link), payee, dateTo, idPayment, error, url, qr: await qrOf(url) }
}

export const aboutOf = ({ about }: Pick<LinkRow, 'about'>): string => about || LINK_ABOUT

/**
 * The organization of the link's desk, and the phone for questions of patients: of the branch, else of the
 * organization.
 */
export const payeeOf = async (db: Db, { idDesk }: Pick<LinkRow, 'idDesk'>) =>
  (await db.one<{ name: string; phone: string | null }>(sql`select o."shortName" as name,
      coalesce(nullif(f."filialPhone", ''), nullif(o."phone", '')) as phone
    from cash_desks d join organizations o on o."id" = d."idOrganization" join filials f on f."id" = d."idFilial"
    where d."id" = ${idDesk}`)) as { name: string; phone: string | null }

export async function qrOf(text: string): Promise<{ size: number; path: string } | null> {
  const bars = await barsOf('qr', text)
  const path = bars?.cells.map(([column, row, length]) => `M${column} ${row}h${length}v1h-${length}z`).join('')
  return bars && path ? { size: bars.width, path } : null
}

export interface LinkAsked {
  /** Idempotency key of the caller: one key makes one link. */
  key: string
  /** The key of the resulting payment; absent: a key of its own. */
  takeKey?: string | undefined
  idDesk?: number | undefined
  /** The organization that receives the money; absent: any. */
  idOrganization?: number | undefined
  idCustomer: number
  sum: number
  lines?: readonly { idCouponService: number; sum: number }[] | undefined
  membership?: { users: number[]; terms: MembershipTerms } | undefined
  about?: string | undefined
  contact?: string | null | undefined
  days: number
}

/** The desk that takes money by links. @throws HttpError 409 `off` if there is none */
async function linkDesk(records: Records, db: Queryable, asked: LinkAsked): Promise<Desk> {
  const id =
    asked.idDesk ??
    (
      await db.one<{
        id: number
      }>(sql`select d."id"::int as id from cash_desks d where d."terminalMode" = 'yookassa' and d."active"
        and not d."deleted" and d."datePaySecret" is not null
        and (${asked.idOrganization ?? null}::bigint is null or d."idOrganization" = ${asked.idOrganization ?? null}) order by d."id" limit 1`)
    )?.id
  if (!id) throw new HttpError(409, 'ЮKassa не подключена: ссылки создаёт касса с её ключом', { code: 'off' })
  const desk = await workingDesk(() => records.asSystem.row(CashDesk, id))
  if (desk.terminalMode !== 'yookassa')
    throw new ValidationError([{ field: 'idDesk', message: 'Эта касса не принимает деньги по ссылкам' }])
  return desk
}

/** Where the receipt of money from afar goes by default: it has no paper (54-ФЗ, ст. 1.2, п. 5). */
export const contactOf = async (db: Queryable, idCustomer: number): Promise<string | undefined> =>
  (
    await db.one<{ contact: string | null }>(
      sql`select coalesce(nullif("email", ''), "phone") as contact from customers where "id" = ${idCustomer}`,
    )
  )?.contact ?? undefined

/** True for a mail address or a phone of full length. */
const isReachable = (contact: string | null): boolean =>
  contact !== null && (contact.includes('@') || contact.replace(/\D/g, '').length >= 11)

/** Creates a link, once. @throws ValidationError, HttpError 409 `off`, `key` */
export async function makeLink(records: Records, asked: LinkAsked): Promise<LinkRow> {
  const { takeKey, ...same } = asked
  const keyed = { call: moneyCalls.makeLink, key: asked.key, asked: same }
  const { id } = await once(records, keyed, (inside, tx) => enterLink(inside, tx, asked))
  return records.asSystem.row(PaymentLink, id as number)
}

/** @returns id of the link */
export async function enterLink(inside: Records, tx: Tx, asked: LinkAsked): Promise<number> {
  const desk = await linkDesk(inside, tx, asked)
  await assertVisible(inside.asSystem, Customer, asked.idCustomer, 'idCustomer')
  const { idCustomer, sum, lines = [] } = asked
  await refreshPrices(inside, tx, lines)
  await checkChosen(tx, lines, { idCustomer, idOrganization: desk.idOrganization, sum: kopecks(sum) })
  const contact = asked.contact || (await contactOf(tx, idCustomer)) || null
  // A receipt of ЮKassa has no paper: without an address no payment can be opened.
  if (desk.kktMode === 'outside' && !isReachable(contact))
    throw new ValidationError([
      { field: 'contact', message: 'Чек ЮKassa уходит на телефон или почту: впишите их, иначе оплата не откроется' },
    ])
  const made = await inside.asSystem.create(PaymentLink, {
    idCustomer,
    idDesk: desk.id,
    sum,
    lines: lines.length ? [...lines] : null,
    membership: asked.membership ?? null,
    about: asked.about || null,
    contact,
    status: 'waiting',
    error: null,
    dateTo: plusDays(await dayOf(tx, desk.idFilial), asked.days),
    idPayment: null,
  } as Create<typeof PaymentLink>)
  await tx.query(sql`insert into payment_link_states ("idLink", "token", "takeKey")
      values (${made.id}, ${randomBytes(18).toString('base64url')}, ${asked.takeKey ?? `link-${made.id}`})`)
  return made.id
}

/** The link, if its desk is in the user's scope. */
export async function visibleLink(records: Records, id: number): Promise<LinkRow> {
  const link = await records.row(PaymentLink, id)
  await records.row(CashDesk, link.idDesk)
  return link
}

/** The response body of a link. */
export const linkBodyOf = async (app: AppContext, id: number) =>
  linkBody(app, await app.engine.for(systemActor).asSystem.row(PaymentLink, id))

/** Ends a link that is not being paid right now; money that arrives anyway is an advance. */
export async function dropLink(app: AppContext, id: number): Promise<void> {
  await app.engine.for(systemActor).tx(async ({ asSystem }, tx) => {
    const open = await tx.one(sql`select 1 from payment_links l join payment_link_states s on s."idLink" = l."id"
      where l."id" = ${id} and l."status" = 'waiting' and s."idProvider" is null for update of l`)
    if (open) await asSystem.update(PaymentLink, id, { status: 'cancelled' })
  })
}

/** Sends a link to its patient through the clinic's channels and templates. */
export async function sendLink(app: AppContext, id: number): Promise<void> {
  await app.db.query(
    sql`update payment_link_states set "dateSend" = now() where "idLink" = ${id} and "dateSend" is null`,
  )
}
