/** The devices of a desk. */
import { DRIVER_ADDRESS } from '@ordinator/model/areas/money/desk'
import type { Receipt } from '@ordinator/model/areas/money/rules'
import sql from 'sql-template-tag'
import { AgentFault, askAgent, fateOf, perform } from '#areas/agents/index.ts'
import { remote } from '#platform/remote.ts'
import type { AppContext } from '#records/context.ts'
import { atolKkt, type DeskOfReceipts, type DriverWire } from './atol.ts'
import { atolOnlineKkt, type OnlineDesk } from './atolOnline.ts'
import { type BankWire, bankTerminal, manualTerminal } from './bankCommand.ts'
import { deskSecretOf } from './deskSecrets.ts'
import { type DeskDevices, DeviceError, type Kkt, type Terminal } from './devices.ts'
import { dayOf } from './ledger.ts'
import { simulatedKkt, simulatedTerminal } from './simulators.ts'
import { linkReceipt, type Yookassa, yookassa, yookassaReceipt } from './yookassa.ts'
import { yookassaKkt, yookassaTerminal } from './yookassaDesk.ts'

/** SQL columns of a desk `d` that describe its devices. */
export const deskDevices = sql`d."id"::int as id, d."idOrganization"::int as "idOrganization", d."idFilial"::int as "idFilial",
  d."kktMode", d."kktAddress", d."idAgent"::int as "idAgent", d."onlineGroup", d."onlineLogin", d."onlineEmail", d."onlineAddress",
  d."terminalMode", d."terminalProgram", d."terminalPay", d."terminalRefund", d."terminalFiles", d."terminalEncoding",
  d."terminalApproved", d."terminalDeclined", d."terminalRrn", d."payShop"`

const NO_SHOP = 'ЮKassa не настроена: впишите shopId и секретный ключ в настройках кассы'

/** The default purpose of a link. */
export const LINK_ABOUT = 'Медицинские услуги'

/** Milliseconds without a reply after which a device counts as not responding. */
export const DEVICE_MS = 20_000

/** The register of a desk; undefined if none is connected. */
export function kktOf(app: AppContext, desk: DeskDevices): Kkt | undefined {
  switch (desk.kktMode) {
    case 'simulator':
      return patient(simulatedKkt(app.db, desk.id))
    case 'atol':
      return patient(atolKkt(driverWire(app, desk), () => receiptsOf(app, desk)))
    case 'atolOnline':
      return patient(cloudKkt(app, desk))
    case 'outside':
      return patient(shopKkt(app, desk))
    case 'none':
      return undefined
  }
}

/** The terminal of a desk; undefined if none is connected. */
export function terminalOf(app: AppContext, desk: DeskDevices): Terminal | undefined {
  switch (desk.terminalMode) {
    case 'simulator':
      return patient(simulatedTerminal(app.db, desk.id))
    case 'manual':
      return manualTerminal
    case 'command':
      return patient(bankTerminal(bankWire(app, desk), desk), BANK_MS + DEVICE_MS)
    case 'yookassa':
      return patient(
        laterTerminal(async () => {
          const shop = await shopOf(app, desk)
          if (!shop) throw new DeviceError(NO_SHOP, { isCertain: true })
          return yookassaTerminal(
            shop,
            (idPayment, kopecks, settled) => refundReceipt(app, desk, idPayment, kopecks, settled),
            (idPayment) => refundsPosted(app, idPayment),
          )
        }),
      )
    case 'none':
      return undefined
  }
}

/** A terminal that is resolved on each call. */
const laterTerminal = (found: () => Promise<Terminal>): Terminal => ({
  pay: async (...asked) => (await found()).pay(...asked),
  refund: async (...asked) => (await found()).refund(...asked),
  ask: async (...asked) => (await found()).ask(...asked),
  total: async (since) => (await found()).total(since),
})

/** The ЮKassa shop of a desk; undefined if its number or key is not set. */
export async function shopOf(
  app: AppContext,
  { id, payShop }: Pick<DeskDevices, 'id' | 'payShop'>,
): Promise<Yookassa | undefined> {
  const secret = payShop ? await deskSecretOf(app.db, id, 'paySecret') : ''
  if (!payShop || !secret) return undefined
  const authorization = `Basic ${Buffer.from(`${payShop}:${secret}`).toString('base64')}`
  return yookassa(
    remote(app, {
      adapter: 'yookassa',
      url: app.config.yookassaUrl,
      isOwn: true,
      auth: () => ({ authorization }),
      timeout: DEVICE_MS,
    }),
  )
}

/** Receipts of settlement by the payment system, which a desk has instead of a register. */
function shopKkt(app: AppContext, desk: DeskDevices): Kkt {
  const found = async (): Promise<Kkt> => {
    const shop = await shopOf(app, desk)
    if (!shop) throw new DeviceError(NO_SHOP, { isCertain: true })
    return yookassaKkt(shop, async (idPayment) => {
      const paid = await app.db.one<{ id: string }>(sql`select "terminal"->>'rrn' as id from payments_parts
        where "idPayment" = ${idPayment} and "terminal"->>'rrn' is not null order by "id" limit 1`)
      const printed = await app.db.query<{ fd: number }>(sql`select "fd"::float8 as fd from fiscal_tasks
        where "idPayment" = ${idPayment} and "fd" is not null`)
      return { id: paid?.id, printed: printed.map(({ fd }) => fd) }
    })
  }
  return {
    state: async () => (await found()).state(),
    print: async (task) => (await found()).print(task),
    document: async (task) => (await found()).document(task),
  }
}

/**
 * The receipt of a part that is given back of a link, where ЮKassa gives the receipts of the desk. Of a whole payment it
 * takes none: https://yookassa.ru/developers/payment-acceptance/receipts/54fz/yoomoney/refunds.
 */
async function refundReceipt(
  { db }: AppContext,
  { kktMode, idFilial }: DeskDevices,
  idPayment: string,
  kopecks: number,
  settled: Receipt | undefined,
): Promise<object | undefined> {
  if (kktMode !== 'outside') return undefined
  if (settled) return yookassaReceipt(settled, await dayOf(db, idFilial))
  const link = await db.one<{ about: string | null; contact: string | null; sum: string }>(sql`
    select l."about", l."contact", round(l."sum" * 100)::text as sum
    from payment_link_states s join payment_links l on l."id" = s."idLink" where s."idProvider" = ${idPayment}`)
  if (!link || Number(link.sum) === kopecks) return undefined
  return linkReceipt({ ...link, about: link.about || LINK_ABOUT }, kopecks, await dayOf(db, idFilial))
}

/** Ids at ЮKassa of the refunds of a link's payment that are posted. */
async function refundsPosted({ db }: AppContext, idPayment: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`select t."terminal"->>'rrn' as id
    from payment_link_states s join payment_links l on l."id" = s."idLink" join payments p on p."idRefundOf" = l."idPayment"
      join payments_parts t on t."idPayment" = p."id"
    where s."idProvider" = ${idPayment} and t."terminal"->>'rrn' is not null`)
  return rows.map(({ id }) => id)
}

/** Milliseconds that the bank's program may take: the patient finds a card and types the PIN. */
const BANK_MS = 180_000

function bankWire(app: AppContext, { id, idAgent }: DeskDevices): BankWire {
  const agent = (): number => {
    if (idAgent === null)
      throw new DeviceError('У кассы не выбран агент: укажите его в настройках кассы', { isCertain: true })
    return idAgent
  }
  const key = (operation: string) => `bank-${id}-${operation}`
  const asDeviceError = (error: unknown): never => {
    throw error instanceof AgentFault ? new DeviceError(error.message, { isCertain: error.isCertain }) : error
  }
  return {
    run: (operation, task) =>
      askAgent(app, agent(), { key: key(operation), task: { kind: 'command', ...task, timeout: BANK_MS } }).catch(
        asDeviceError,
      ),
    fate: (operation) => fateOf(app, agent(), key(operation)).catch(asDeviceError),
  }
}

function cloudKkt(app: AppContext, desk: DeskDevices): Kkt {
  const found = async (): Promise<Kkt> => {
    const { db, config } = app
    const password = await deskSecretOf(db, desk.id, 'onlinePassword')
    const whose = (await db.one<{ inn: string | null; taxSystem: DeskOfReceipts['taxSystem']; email: string | null }>(
      sql`select "inn", "taxSystem", "email" from organizations where "id" = ${desk.idOrganization}`,
    )) as { inn: string | null; taxSystem: DeskOfReceipts['taxSystem']; email: string | null }
    const { onlineGroup: group, onlineLogin: login, onlineAddress: address } = desk
    const email = desk.onlineEmail || whose.email
    const lacks = [
      !group && 'группу касс',
      !login && 'логин',
      !password && 'пароль',
      !address && 'место расчётов',
      !email && 'почту организации',
      !whose.inn && 'ИНН организации',
    ].filter(Boolean)
    if (lacks.length)
      throw new DeviceError(`АТОЛ Онлайн не настроен, укажите: ${lacks.join(', ')}`, { isCertain: true })
    const own = { group, login, password, address, email, inn: whose.inn, taxSystem: whose.taxSystem } as OnlineDesk
    return atolOnlineKkt(
      remote(app, { adapter: 'kkt', url: config.atolOnlineUrl, isOwn: true }),
      own,
      config.atolOnlineUrl,
    )
  }
  return {
    signIn: async () => (await found()).signIn?.(),
    state: async () => (await found()).state(),
    print: async (task) => (await found()).print(task),
    document: async (task) => (await found()).document(task),
  }
}

const receiptsOf = async ({ db }: AppContext, { idOrganization }: DeskDevices): Promise<DeskOfReceipts> =>
  (await db.one<DeskOfReceipts>(
    sql`select "taxSystem" from organizations where "id" = ${idOrganization}`,
  )) as DeskOfReceipts

/** Milliseconds that the register may take for a document. */
const DRIVER_MS = 15_000

/**
 * Connection to the driver's web server: through the agent of the desk; without one direct, if the server's owner has
 * allowed this address (`DEVICE_ADDRESSES`).
 */
function driverWire(app: AppContext, { idAgent, kktAddress }: DeskDevices): DriverWire {
  const address = (kktAddress || DRIVER_ADDRESS).replace(/\/+$/, '')
  return async ({ body, path, poll }) => {
    const task = {
      kind: 'http' as const,
      method: body === undefined ? ('GET' as const) : ('POST' as const),
      url: `${address}${path}`,
      ...(body !== undefined && { body }),
      ...(poll && { poll: { url: `${address}${poll.path}`, pending: poll.pending } }),
      timeout: DRIVER_MS,
    }
    if (idAgent === null) {
      if (!app.config.deviceAddresses.includes(address))
        throw new DeviceError('У кассы не выбран агент: укажите его в настройках кассы', { isCertain: true })
      const answer = await perform(task, { addresses: app.config.deviceAddresses })
      if (answer.ok) return answer
      throw new DeviceError(answer.error, { isCertain: answer.isCertain })
    }
    try {
      return await askAgent(app, idAgent, { task })
    } catch (error) {
      throw error instanceof AgentFault ? new DeviceError(error.message, { isCertain: error.isCertain }) : error
    }
  }
}

/** The same device with a timeout on every call. */
function patient<D extends object>(device: D, ms = DEVICE_MS): D {
  return new Proxy(device, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<never>((_, refuse) => {
          timer = setTimeout(() => refuse(new DeviceError('Устройство не ответило', { isCertain: false })), ms).unref()
        })
        try {
          return await Promise.race([member.apply(target, args), late])
        } finally {
          clearTimeout(timer)
        }
      }
    },
  })
}
