/** A tab that is open while the server is updated: it goes on working, and shows one notice. */
import { notify } from '#kit/notify.tsx'

/** Of every answer of the server: `year.month.day` of its release. */
export const VERSION_HEADER = 'x-app-version'

/** Replaced by the build; absent where the sources run as they are. */
declare const __VERSION__: string | undefined
const own = typeof __VERSION__ === 'string' ? __VERSION__ : undefined

/** During an update by turns an earlier server may answer a later tab: that is nothing new. */
export function isLater(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number)) as [number[], number[]]
  const at = a.findIndex((part, place) => part !== b[place])
  return at >= 0 && (a[at] as number) > (b[at] ?? 0)
}

let announced: string | undefined

/** @param version of the server that has answered; null: none given */
export function versionSeen(version: string | null): void {
  if (!version || !own || version === announced || !isLater(version, own)) return
  announced = version
  notify.newVersion()
}
