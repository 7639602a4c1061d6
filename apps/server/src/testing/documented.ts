/** Checks the status of every successful answer in tests against the server's OpenAPI document. */
import type { App } from '../app.ts'

type Json = Record<string, any>

/** Statuses by method and path, split at the slashes; `{id}` is undefined. */
interface Documented {
  method: string
  path: (string | undefined)[]
  statuses: readonly string[]
}

/** The document is the same for every clinic of a process. */
let documented: Promise<Documented[]> | undefined

/** @throws when the document has the call without this status */
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
    throw new Error(`${method} ${url} answers ${status}, the document has ${one.statuses.join(', ')}`)
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
  // A literal segment takes precedence over a parameter.
  const words = ({ path }: Documented) => path.filter((part) => part !== undefined).length
  return all.sort((a, b) => words(b) - words(a))
}
