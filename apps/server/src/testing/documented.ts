/** Holds every good answer of the suite to the statuses that the server's own OpenAPI document tells. */
import type { App } from '../app.ts'

type Json = Record<string, any>

/** Statuses by method and path, cut at the slashes; `{id}` is undefined. */
interface Documented {
  method: string
  path: (string | undefined)[]
  statuses: readonly string[]
}

/** The document is the same for every clinic of a process. */
let documented: Promise<Documented[]> | undefined

/** @throws when the document knows the call, and not this status of it */
export async function checkDocumented(app: App, method: string, url: string, status: number): Promise<void> {
  if (status >= 300) return
  documented ??= read(app)
  const path = url.replace(/[?#].*$/s, '').split('/')
  const fits = (one: Documented) =>
    one.method === method &&
    one.path.length === path.length &&
    one.path.every((part, n) => part === undefined || part === path[n])
  const one = (await documented).find(fits)
  if (one && !one.statuses.includes(String(status)))
    throw new Error(`${method} ${url} answers ${status}, the document tells ${one.statuses.join(', ')}`)
}

async function read(app: App): Promise<Documented[]> {
  const { paths } = JSON.parse((await app.server.inject('/openapi.json')).payload) as Json
  const all = Object.entries<Json>(paths).flatMap(([path, calls]) =>
    Object.entries<Json>(calls).map(([method, call]) => ({
      method: method.toUpperCase(),
      path: path.split('/').map((part) => (part.startsWith('{') ? undefined : part)),
      statuses: Object.keys(call.responses ?? {}),
    })),
  )
  // Of two that fit, the one with a word goes before the one with a parameter.
  const words = ({ path }: Documented) => path.filter((part) => part !== undefined).length
  return all.sort((a, b) => words(b) - words(a))
}
