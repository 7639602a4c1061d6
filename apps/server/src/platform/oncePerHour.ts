/** Addresses remembered for one server; beyond that the oldest are forgotten. */
const MOST = 2_000
const HOUR_MS = 3_600_000

/**
 * For journals that strangers can fill: one line an address and hour. Create one per intake.
 * @returns true for the first refusal of this address within the hour, per server process
 */
export function oncePerHour(): (server: object, address: string) => boolean {
  const seen = new WeakMap<object, Map<string, number>>()
  return (server, address) => {
    let times = seen.get(server)
    if (!times) seen.set(server, (times = new Map()))
    const now = Date.now()
    if (now - (times.get(address) ?? -HOUR_MS) < HOUR_MS) return false
    times.delete(address)
    times.set(address, now)
    if (times.size > MOST) times.delete(times.keys().next().value as string)
    return true
  }
}
