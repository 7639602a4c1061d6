/** Which devices a desk has. */
import { DRIVER_ADDRESS, type KktMode, type TerminalMode } from '@ordinator/model/areas/money/desk'
import sql from 'sql-template-tag'
import type { AppContext } from '../../records/context.ts'
import { AgentFault, askAgent, perform } from '../agents/index.ts'
import { atolKkt, type DeskOfReceipts, type DriverWire } from './atol.ts'
import { DeviceError, type Kkt, type Terminal } from './devices.ts'
import { simulatedKkt, simulatedTerminal } from './simulators.ts'

/** What of a desk says which devices it has: columns of `cash_desks`. */
export interface DeskDevices {
  id: number
  idOrganization: number
  idFilial: number
  kktMode: KktMode
  kktAddress: string | null
  idAgent: number | null
  terminalMode: TerminalMode
}
/** SQL of the same. */
export const deskDevices = sql`d."id"::int as id, d."idOrganization"::int as "idOrganization", d."idFilial"::int as "idFilial",
  d."kktMode", d."kktAddress", d."idAgent"::int as "idAgent", d."terminalMode"`

/** A device that says nothing for so long has given no answer. */
export const DEVICE_MS = 20_000

/** The register of a desk; undefined: none is connected. */
export function kktOf(app: AppContext, desk: DeskDevices): Kkt | undefined {
  switch (desk.kktMode) {
    case 'simulator':
      return patient(simulatedKkt(app.db, desk.id))
    case 'atol':
      return patient(atolKkt(driverWire(app, desk), () => receiptsOf(app, desk)))
    default:
      return undefined
  }
}

/** The terminal of a desk; undefined: none is connected. */
export const terminalOf = (app: AppContext, { id, terminalMode }: DeskDevices): Terminal | undefined =>
  terminalMode === 'simulator' ? patient(simulatedTerminal(app.db, id)) : undefined

const receiptsOf = async ({ db }: AppContext, { idOrganization }: DeskDevices): Promise<DeskOfReceipts> =>
  (await db.one<DeskOfReceipts>(
    sql`select "taxSystem" from organizations where "id" = ${idOrganization}`,
  )) as DeskOfReceipts

/** Milliseconds that the register itself may take for a document. */
const DRIVER_MS = 15_000

/**
 * The way to the driver's web server: through the agent of the desk; without one straight, where the owner of the server
 * has allowed this address (`DEVICE_ADDRESSES`).
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

/** The same device, that is not waited for beyond its time. */
function patient<D extends object>(device: D): D {
  return new Proxy(device, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<never>((_, refuse) => {
          timer = setTimeout(
            () => refuse(new DeviceError('Устройство не ответило', { isCertain: false })),
            DEVICE_MS,
          ).unref()
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
