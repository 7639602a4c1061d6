/** Calls of patients: authenticated by their own cookie, typed by the declarations. */
import type { PortalTime } from '@ordinator/model/areas/portal/bookingCalls'
import type { PortalWork } from '@ordinator/model/areas/portal/work'
import type { Answered, Asked } from '@ordinator/model/call'
import type { Calls } from '@ordinator/model/calls'

type Name = { [N in keyof Calls]: N extends `${string} /portal${string}` ? N : never }[keyof Calls]

/** Error of a call, with messages by field. */
export class Refusal extends Error {
  readonly status: number
  readonly byField: Readonly<Record<string, string>>
  readonly code: string | undefined
  /** Alternatives when a time is taken. */
  readonly alternatives: readonly PortalTime[]
  /** Proof of work to do first. */
  readonly work: PortalWork | undefined
  constructor(
    status: number,
    message: string,
    more: Partial<Pick<Refusal, 'byField' | 'code' | 'alternatives' | 'work'>> = {},
  ) {
    super(message)
    this.status = status
    this.byField = more.byField ?? {}
    this.code = more.code
    this.alternatives = more.alternatives ?? []
    this.work = more.work
  }
}

interface Params {
  params?: Record<string, string | number>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

/** @throws Refusal */
export async function ask<N extends Name>(
  name: N,
  ...[asked, signal]: object extends Asked<Calls[N]>
    ? [asked?: Asked<Calls[N]>, signal?: AbortSignal]
    : [asked: Asked<Calls[N]>, signal?: AbortSignal]
): Promise<Answered<Calls[N]>> {
  const { params = {}, query = {}, body } = (asked ?? {}) as Params
  const [method = '', path = ''] = name.split(' ')
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  ).toString()
  const address = path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const answer = await fetch(address + (text && `?${text}`), {
    method,
    credentials: 'same-origin',
    ...(signal && { signal }),
    ...(body instanceof FormData
      ? { body }
      : body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new Refusal(0, 'Нет связи с клиникой. Проверьте интернет и попробуйте ещё раз')
  })
  if (answer.status === 204) return undefined as Answered<Calls[N]>
  const parsed: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return parsed as Answered<Calls[N]>
  const refusal = refusalOf(answer.status, parsed)
  // Redirects to the payment system, which returns to the clinic's page.
  const { url } = (parsed ?? {}) as { url?: unknown }
  if (refusal.code === 'link' && typeof url === 'string') {
    // Back from there the browser shows this page as it was left: its bill is out of date.
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
    location.assign(url)
  }
  throw refusal
}

function refusalOf(status: number, parsed: unknown): Refusal {
  if (Array.isArray(parsed)) {
    const fields = parsed as { field: string; message: string }[]
    return new Refusal(status, fields[0]?.message ?? 'Проверьте, что заполнено', {
      byField: Object.fromEntries(fields.map(({ field, message }) => [field, message])),
    })
  }
  const { message, code, alternatives, work } = (parsed ?? {}) as Partial<
    Record<'message' | 'code' | 'alternatives' | 'work', unknown>
  >
  return new Refusal(status, typeof message === 'string' ? message : 'Что-то пошло не так. Попробуйте ещё раз', {
    ...(typeof code === 'string' && { code }),
    ...(Array.isArray(alternatives) && { alternatives: alternatives as PortalTime[] }),
    ...(code === 'work' && { work: work as PortalWork }),
  })
}
