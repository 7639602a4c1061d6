/** Cash desks and their shifts: opening, cash in and out, count, closing and comparison. */

import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { moneyCalls } from '@ordinator/model/areas/money/calls'
import {
  CashDesk,
  CashShift,
  isByLinks,
  type KktMode,
  SHIFT_HOURS,
  type TerminalMode,
  takesByHand,
} from '@ordinator/model/areas/money/desk'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { Create, Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { keepDeskSecret } from './deskSecrets.ts'
import { fileReceipt, printQueue, queueReceipt } from './fiscal.ts'
import { type Account, dayOf, holds, post } from './ledger.ts'
import { queueOffsets } from './receiptCoverage.ts'
import { deskScope } from './scope.ts'
import { reportOf, terminalTotal } from './shiftReport.ts'
import { readSigns } from './signs.ts'
import { setFault } from './simulators.ts'

type Shift = Row<typeof CashShift>
export type DeskRow = Row<typeof CashDesk>

export const cashShifts = records(CashShift)
export const cashDesks = records(CashDesk, {
  scope: deskScope,
  computed: {
    isShiftOpen: ({ row }) =>
      sql`exists (select 1 from cash_shifts s where s."idDesk" = ${row}."id" and s."dateClosed" is null)`,
  },
  hooks: {
    async beforeCreate({ tx }, value) {
      const { idOrganization } = value
      assertReceipts(value)
      noteSecrets(value)
      const own = await tx.one(sql`select 1 from organizations where "id" = ${idOrganization} and "kind" = 'own'`)
      if (!own) throw new ValidationError([{ field: 'idOrganization', message: 'Чеки даёт своя организация клиники' }])
    },
    async afterCreate({ tx }, desk, value) {
      await keepDeskSecret(tx, desk.id, 'onlinePassword', value.onlinePassword)
      await keepDeskSecret(tx, desk.id, 'paySecret', value.paySecret)
    },
    async beforeUpdate({ tx }, value, before) {
      assertReceipts({ ...before, ...value })
      // A secret belongs to the shop or group it was entered for: clear it when that changes.
      if (value.payShop !== undefined && value.payShop !== before.payShop && value.paySecret === undefined)
        Object.assign(value, { paySecret: null })
      noteSecrets(value)
      await keepDeskSecret(tx, before.id, 'onlinePassword', value.onlinePassword)
      await keepDeskSecret(tx, before.id, 'paySecret', value.paySecret)
    },
    /** When a register is connected during an open shift, opens the register's own shift first. */
    async afterUpdate({ records, tx }, desk, before) {
      if (before.kktMode !== 'none' || desk.kktMode === 'none') return
      const shift = await tx.one<{ id: number }>(
        sql`select "id"::int as id from cash_shifts where "idDesk" = ${desk.id} and "dateClosed" is null`,
      )
      if (shift)
        await fileReceipt(records, desk, { key: `openShift-${randomUUID()}`, kind: 'openShift', idShift: shift.id })
    },
  },
})

/** @throws ValidationError: receipts by the payment system, but the money would go past it */
function assertReceipts({ kktMode, terminalMode }: { kktMode?: KktMode; terminalMode?: TerminalMode }): void {
  if (kktMode && !takesByHand({ kktMode }) && !isByLinks(terminalMode ?? 'none'))
    throw new ValidationError([
      {
        field: 'kktMode',
        message:
          'ЮKassa даёт чеки только за оплаты по ссылке: выберите терминал «ЮKassa: ссылки и QR» или регистратор чеков',
      },
    ])
}

/** Times at which the secrets of a desk were set: responses show only that they exist. */
function noteSecrets(value: {
  onlinePassword?: string | null | undefined
  paySecret?: string | null | undefined
}): void {
  const now = new Date().toISOString()
  if (value.onlinePassword !== undefined)
    Object.assign(value, { dateOnlinePassword: value.onlinePassword ? now : null })
  if (value.paySecret !== undefined) Object.assign(value, { datePaySecret: value.paySecret ? now : null })
}

export const drawerOf = (db: Queryable, desk: Pick<DeskRow, 'id' | 'idOrganization'>): Promise<number> =>
  holds(db, { kind: 'desk', idDesk: desk.id, idOrganization: desk.idOrganization, method: 'cash' })

export const isOverdue = ({ dateOpened }: Pick<Shift, 'dateOpened'>): boolean =>
  Date.parse(dateOpened) < Date.now() - SHIFT_HOURS * 3_600_000

/**
 * The open shift of a desk, locked until the transaction ends.
 * @throws HttpError 409 if none is open, or if it has lasted too long
 */
export async function openShiftOf(tx: Tx, idDesk: number): Promise<{ id: number; dateOpened: string }> {
  const shift = await tx.one<{ id: number; dateOpened: string }>(
    sql`select "id", "dateOpened" from cash_shifts where "idDesk" = ${idDesk} and "dateClosed" is null for share`,
  )
  if (!shift) throw new HttpError(409, 'Смена кассы не открыта: откройте её', { code: 'shift' })
  if (isOverdue(shift))
    throw new HttpError(409, 'Смена открыта больше 24 часов: закройте её и откройте новую', { code: 'shift' })
  return shift
}

/** @throws HttpError 404, 409 if the desk is not active */
export async function workingDesk(row: () => Promise<DeskRow>): Promise<DeskRow> {
  const desk = await row()
  if (!desk.active) throw new HttpError(409, 'Эта касса не работает', { code: 'desk' })
  return desk
}

export const openShift = operation(moneyCalls.openShift, {
  async once({ app, records: inside, tx, body }) {
    const desk = await workingDesk(() => inside.row(CashDesk, body.idDesk))
    return (await beginShift(app, inside, tx, desk)).id
  },
  answer: ({ records, id }) => records.row(CashShift, id as number),
})

/** Opens the next shift of a desk, whose row is locked. @throws HttpError 409 if one is open */
async function beginShift(app: AppContext, inside: Records, tx: Tx, desk: DeskRow): Promise<Shift> {
  await tx.query(sql`select 1 from cash_desks where "id" = ${desk.id} for update`)
  const last = await tx.one<{ number: number; isOpen: boolean }>(sql`select max("number") as "number",
      bool_or("dateClosed" is null) as "isOpen" from cash_shifts where "idDesk" = ${desk.id}`)
  if (last?.isOpen) throw new HttpError(409, 'Смена этой кассы уже открыта', { code: 'shift' })
  const shift = await inside.asSystem.create(CashShift, {
    idDesk: desk.id,
    number: (last?.number ?? 0) + 1,
    localDate: await dayOf(tx, desk.idFilial),
    dateOpened: new Date().toISOString(),
    idCashier: inside.actor.id || null,
    opening: rubles(await drawerOf(tx, desk)),
  } as Create<typeof CashShift>)
  await queueReceipt(app, inside, tx, desk, { key: `open-${shift.id}`, kind: 'openShift', idShift: shift.id })
  await queueOffsets(app, inside, tx, { idDesk: desk.id })
  return shift
}

/**
 * Keeps the shift of an unattended desk open: a shift past its day is closed with the cash in the drawer, and the next
 * one is opened.
 * @throws HttpError 409 while an outcome of the former shift is unknown
 */
export async function keepShiftOpen(app: AppContext, records: Records, idDesk: number): Promise<void> {
  const isReady = async (tx: Queryable) =>
    (await tx.one(sql`select 1 from cash_shifts where "idDesk" = ${idDesk} and "dateClosed" is null
      and "dateOpened" > now() - make_interval(hours => ${SHIFT_HOURS})`)) !== undefined
  if (await isReady(app.db)) return
  const desk = await records.asSystem.row(CashDesk, idDesk)
  const old = await app.db.one<{ dateOpened: string }>(
    sql`select "dateOpened" from cash_shifts where "idDesk" = ${idDesk} and "dateClosed" is null`,
  )
  const terminal = old ? await terminalTotal(app, desk, old.dateOpened) : null
  await records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from cash_desks where "id" = ${idDesk} for update`)
    if (await isReady(tx)) return
    const open = await tx.one<{ id: number }>(
      sql`select "id"::int as id from cash_shifts where "idDesk" = ${idDesk} and "dateClosed" is null for update`,
    )
    if (open) await endShift(app, inside, tx, { shift: await inside.asSystem.row(CashShift, open.id), desk, terminal })
    await beginShift(app, inside, tx, desk)
  })
}

export const moveCash = operation(moneyCalls.cash, {
  async once({ records: inside, tx, params: { id }, body }) {
    const desk = await deskOf(inside, id)
    await tx.query(sql`select 1 from cash_desks where "id" = ${desk.id} for update`)
    const open = await openShiftOf(tx, desk.id)
    if (open.id !== id) throw new HttpError(409, 'Эта смена уже закрыта', { code: 'shift' })
    await moveDrawer(inside, tx, desk, {
      key: `cash:${body.key}`,
      amount: body.kind === 'in' ? kopecks(body.sum) : -kopecks(body.sum),
      idShift: id,
      reason: body.reason,
      other: { kind: 'safe', idOrganization: desk.idOrganization, idDesk: desk.id },
    })
    return undefined
  },
  answer: async ({ app, records, params }) => ({
    drawer: rubles(await drawerOf(app.db, await deskOf(records, params.id))),
  }),
})

/** The desk of a shift, by the rights of the requester. */
const deskOf = async (records: Records, idShift: number): Promise<DeskRow> =>
  records.row(CashDesk, (await records.row(CashShift, idShift)).idDesk)

interface CashMove {
  key: string
  /** Kopecks; negative to take out. */
  amount: number
  idShift: number
  reason: string
  /** The source or target of the money. */
  other: Account
}

/** Moves cash into or out of the drawer of a desk whose row is locked. @throws ValidationError of `sum` */
async function moveDrawer(inside: Records, tx: Tx, desk: DeskRow, move: CashMove): Promise<number | undefined> {
  const { key, amount, idShift, reason, other } = move
  const drawer = await drawerOf(tx, desk)
  if (drawer + amount < 0)
    throw new ValidationError([{ field: 'sum', message: `В кассе только ${formatMoney(rubles(drawer))}` }])
  return post(inside, tx, {
    key,
    kind: amount > 0 ? 'cashIn' : 'cashOut',
    localDate: await dayOf(tx, desk.idFilial),
    idShift,
    comment: reason,
    entries: [
      { account: cashAccount(desk), amount },
      { account: other, amount: -amount },
    ],
  })
}

/**
 * Pays an expense of the clinic from the drawer: a cash-out of the open shift of a desk in the user's scope.
 * @param account gets the money; in the desk's organization unless it names another
 * @returns the shift, and the day in its branch's time zone
 * @throws HttpError 404, 409 without an open shift; ValidationError of `sum` if the drawer holds less
 */
export async function payFromDesk(
  inside: Records,
  tx: Tx,
  { idDesk, key, sum, reason, account }: { idDesk: number; key: string; sum: number; reason: string; account: Account },
): Promise<{ idShift: number; localDate: string; idOrganization: number }> {
  const desk = await workingDesk(() => inside.row(CashDesk, idDesk))
  await tx.query(sql`select 1 from cash_desks where "id" = ${desk.id} for update`)
  const { id: idShift } = await openShiftOf(tx, desk.id)
  await moveDrawer(inside, tx, desk, {
    ...{ key, idShift, reason },
    amount: -sum,
    other: { idOrganization: desk.idOrganization, ...account },
  })
  return { idShift, localDate: await dayOf(tx, desk.idFilial), idOrganization: desk.idOrganization }
}

const cashAccount = ({ id, idOrganization }: Pick<DeskRow, 'id' | 'idOrganization'>) => ({
  kind: 'desk' as const,
  idDesk: id,
  idOrganization,
  method: 'cash' as const,
})

export const closeShift = operation(moneyCalls.closeShift, {
  /** Queries the bank before closing the books, so that a slow reply does not hold the transaction. */
  async prepare({ app, records, params: { id } }) {
    const shift = await records.row(CashShift, id)
    const desk = await records.row(CashDesk, shift.idDesk)
    if (!shift.dateClosed) await printed(app, desk.id)
    return { shift, desk, terminal: shift.dateClosed ? null : await terminalTotal(app, desk, shift.dateOpened) }
  },
  async once({ app, records: inside, tx, params: { id }, body, prepared }) {
    const open = await tx.one(sql`select 1 from cash_shifts where "id" = ${id} and "dateClosed" is null for update`)
    if (!open) throw new HttpError(409, 'Эта смена уже закрыта', { code: 'shift' })
    await endShift(app, inside, tx, { ...prepared, counted: body.counted })
    return id
  },
  answer: ({ records, params }) => records.row(CashShift, params.id),
})

/** Waits for a receipt that is being printed, and queries one whose reply was lost. */
const PRINT_TRIES = 20
const PRINT_PAUSE = 250
async function printed(app: AppContext, idDesk: number): Promise<void> {
  for (let n = 0; n < PRINT_TRIES; n++) {
    await printQueue(app, idDesk)
    // Another worker may be running: its unstarted documents are still in the queue.
    const busy = await app.db.one(sql`select 1 from fiscal_tasks where "idDesk" = ${idDesk} and "status" = 'sending'
      union all select 1 from fiscal_printers where "idDesk" = ${idDesk} and "claimedUntil" >= now() limit 1`)
    if (!busy) return
    await setTimeout(PRINT_PAUSE)
  }
}

interface Ending {
  shift: Shift
  desk: DeskRow
  terminal: number | null
  /** Absent: the expected sum. */
  counted?: number
}

/** Closes a shift whose row is locked. @throws HttpError 409 `unknown` */
async function endShift(
  app: AppContext,
  inside: Records,
  tx: Tx,
  { shift, desk, terminal, counted: entered }: Ending,
): Promise<Shift> {
  const { id } = shift
  await refuseUnknown(tx, desk.id)
  const { crm, drawer } = await reportOf(tx, shift, desk)
  const counted = entered ?? drawer
  const difference = kopecks(counted) - kopecks(drawer)
  await post(inside, tx, {
    key: `difference:${id}`,
    kind: 'difference',
    localDate: await dayOf(tx, desk.idFilial),
    idShift: id,
    entries: [
      { account: cashAccount(desk), amount: difference },
      { account: { kind: 'over', idOrganization: desk.idOrganization, idDesk: desk.id }, amount: -difference },
    ],
  })
  await queueReceipt(app, inside, tx, desk, { key: `close-${id}`, kind: 'closeShift', idShift: id })
  return inside.asSystem.update(CashShift, id, {
    dateClosed: new Date().toISOString(),
    idCloser: inside.actor.id || null,
    expected: drawer,
    counted,
    difference: rubles(difference),
    closing: { crm, kkt: null, terminal },
  })
}

/** Refuses to count while an outcome is unknown. */
async function refuseUnknown(tx: Tx, idDesk: number): Promise<void> {
  const payment = await tx.one(sql`select 1 from payments where "idStatus" = 1 and "idDesk" = ${idDesk} limit 1`)
  if (payment)
    throw new HttpError(
      409,
      'Есть оплата, ответ терминала на которую неизвестен: спросите терминал, потом закройте смену',
      {
        code: 'unknown',
      },
    )
  const receipt = await tx.one(sql`select 1 from fiscal_tasks
    where "idDesk" = ${idDesk} and "status" in ('sending', 'unknown', 'conflict') limit 1`)
  if (receipt)
    throw new HttpError(409, 'Есть чек, о котором неизвестно, пробит ли он: разберите его, потом закройте смену', {
      code: 'unknown',
    })
}

export const simulate = operation(moneyCalls.simulate, async ({ app, records, params: { id }, body }) => {
  const desk = await records.row(CashDesk, id)
  if (desk[`${body.device}Mode`] !== 'simulator')
    throw new ValidationError([{ field: 'device', message: 'Это не имитатор' }])
  await setFault(app.db, id, body.device, body.fault)
  if (body.device !== 'kkt') return
  await printQueue(app, id)
  await readSigns(app, id)
})
