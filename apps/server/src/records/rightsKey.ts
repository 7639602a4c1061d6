import type { ServerActor } from './actor.ts'

/** A short name for each set of permissions: the whole set would make every plan's key a kilobyte. */
const rightsNames = new Map<string, string>()
interface RightsKey extends Pick<ServerActor, 'tariff' | 'modules'> {
  key: string
}
/** By the permissions object, which actors share over sessions. */
const rightsKeys = new WeakMap<object, RightsKey>()

/** Key of an actor's rights: actors with equal rights share plans. */
export function rightsKey({ system, permissions, tariff, modules }: ServerActor): string {
  if (system) return 'system'
  const known = rightsKeys.get(permissions)
  if (known && known.tariff === tariff && known.modules === modules) return known.key
  const all = Object.keys(permissions).sort().join()
  const name = rightsNames.get(all) ?? `p${rightsNames.size}`
  rightsNames.set(all, name)
  const key = `${tariff ?? ''} ${modules?.join() ?? ''} ${name}`
  rightsKeys.set(permissions, { tariff, modules, key })
  return key
}
