/** Which devices a desk has. */
import type { Db } from '../../platform/db.ts'
import { DeviceError, type Kkt, type Terminal } from './devices.ts'
import { simulatedKkt, simulatedTerminal } from './simulators.ts'

interface DeskDevices {
  id: number
  kktMode: 'none' | 'simulator'
  terminalMode: 'none' | 'simulator'
}

/** A device that says nothing for so long has given no answer. */
export const DEVICE_MS = 20_000

/** The register of a desk; undefined: none is connected. */
export const kktOf = (db: Db, { id, kktMode }: Pick<DeskDevices, 'id' | 'kktMode'>): Kkt | undefined =>
  kktMode === 'simulator' ? patient(simulatedKkt(db, id)) : undefined

/** The terminal of a desk; undefined: none is connected. */
export const terminalOf = (
  db: Db,
  { id, terminalMode }: Pick<DeskDevices, 'id' | 'terminalMode'>,
): Terminal | undefined => (terminalMode === 'simulator' ? patient(simulatedTerminal(db, id)) : undefined)

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
