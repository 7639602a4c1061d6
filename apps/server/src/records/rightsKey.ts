import type { ServerActor } from './actor.ts'
import { isLimited } from './branches.ts'

/** A short name for each set of permissions: the whole set would make every plan's key a kilobyte. */
const rightsNames = new Map<string, string>()
interface RightsKey extends Pick<ServerActor, 'tariff' | 'modules'> {
  key: string
  isLimited: boolean
}
/** By the permissions object, which actors share over sessions. */
const rightsKeys = new WeakMap<object, RightsKey>()

/** Key of an actor's rights: actors with equal rights share plans. */
export function rightsKey(actor: ServerActor): string {
  const { system, permissions, tariff, modules } = actor
  if (system) return 'system'
  const limited = isLimited(actor)
  const known = rightsKeys.get(permissions)
  if (known && known.tariff === tariff && known.modules === modules && known.isLimited === limited) return known.key
  const all = Object.keys(permissions).sort().join()
  const name = rightsNames.get(all) ?? `p${rightsNames.size}`
  rightsNames.set(all, name)
  const key = `${tariff ?? ''} ${modules?.join() ?? ''} ${name}${limited ? ' limited' : ''}`
  rightsKeys.set(permissions, { tariff, modules, key, isLimited: limited })
  return key
}
