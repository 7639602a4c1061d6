import { allowed } from '@ordinator/model/access'
import { Appeal, promiseKinds } from '@ordinator/model/areas/appeals/appeal'
import type { OpenPromise } from '@ordinator/model/areas/appeals/calls'
import { Call } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { formatFromNow } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { useNow } from '#kit/useNow.ts'

const MINUTE_MS = 60_000
/** Promises shown; one patient rarely has more. */
const SHOWN = 3

/** Link to the source of a promise. */
export const placeOf = ({ source, id }: Pick<OpenPromise, 'source' | 'id'>) =>
  source === 'chat'
    ? ({ page: 'liveAssist', search: { chat: id } } as const)
    : source === 'dialog'
      ? ({ page: 'serviceOnline', search: { dialog: id } } as const)
      : source === 'call'
        ? ({ page: 'calls', search: { open: id } } as const)
        : ({ page: 'appeals', search: { open: id } } as const)

/** Open promises to a patient, the most urgent first; empty without the right to see promises. */
function usePromises(idCustomer: number): readonly OpenPromise[] {
  const enabled = allowed(useActor(), pageByKey('promises').any)
  const { data } = useQuery({
    queryKey: ['promises', 'customer', idCustomer],
    queryFn: ({ signal }) =>
      api('GET /promises', { query: { customer: idCustomer } }, { signal, forbidden: 'silent', quiet: true }),
    enabled,
    meta: { live: [Call.path, LiveAssist.path, Appeal.path] },
  })
  return data?.items ?? []
}

/** What the patient has been promised, for the summary: «Перезвонить, через 20 минут», each with a link to its source. */
export function CustomerPromises({ idCustomer }: { idCustomer: number }) {
  const promises = usePromises(idCustomer)
  const now = useNow(MINUTE_MS / 2)
  if (promises.length === 0) return null
  return (
    <div>
      <dt>Обещано</dt>
      <dd>
        {promises.slice(0, SHOWN).map((promise, at) => (
          <span key={`${promise.kind} ${promise.source} ${promise.id}`}>
            {at > 0 && '; '}
            <PageLink {...placeOf(promise)}>
              {promiseKinds[promise.kind]}, {formatFromNow(promise.dueAt, new Date(now))}
            </PageLink>
          </span>
        ))}
        {promises.length > SHOWN && ` и ещё ${promises.length - SHOWN}`}
      </dd>
    </div>
  )
}
