import { VisuallyHidden } from '@mantine/core'
import { CallLeg, incomingStates } from '@ordinator/model/areas/calls/call'
import type { IncomingCall } from '@ordinator/model/areas/calls/calls'
import { formatMoney } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '#base/api.ts'
import { useFirstDeed } from '#base/firstDeed.ts'
import { useAccount } from '#base/session.ts'
import { part } from '#kit/chunk.ts'
import { useLive } from '#realtime/useLive.ts'

/** Loaded with the first movement or key, before the first call. */
const CallPile = part(() => import('./CallPile.tsx'))

const KEY = ['calls', 'incoming']
/** Polling interval during a call, and time of polling after it: the exchange reports the end with a delay. */
const LOOK_EVERY_MS = 2_000
const LOOK_AFTER_MS = 15_000

/**
 * Incoming calls of the employee over any page; they take neither the focus nor typed text. A call answered by another
 * employee disappears, an unanswered one is shown as missed.
 */
export default function IncomingCalls() {
  const { identity } = useAccount().user
  useFirstDeed(CallPile.load)
  const cache = useQueryClient()
  const read = () => void cache.invalidateQueries({ queryKey: KEY })
  const last = useRef(0)
  const calls = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const answer = await api('GET /calls/incoming', {}, { signal, forbidden: 'silent', quiet: true })
      if (answer.items.length > 0) last.current = Date.now()
      return answer
    },
    refetchInterval: () => (Date.now() - last.current < LOOK_AFTER_MS ? LOOK_EVERY_MS : false),
    meta: { reportsFailure: true },
  })
  useLive(CallLeg.path, read, { filter: { idUser: identity.id }, onReset: read })
  const [hidden, setHidden] = useState<readonly string[]>([])
  const hide = (call: IncomingCall) => setHidden((before) => [...before, keyOf(call)])
  const shown = (calls.data?.items ?? []).filter((call) => !hidden.includes(keyOf(call)))
  /** From the first call on: a dialog of the pile outlives its cards. */
  const [isNeeded, setNeeded] = useState(false)
  if (shown.length > 0 && !isNeeded) setNeeded(true)
  const ringing = shown.filter(({ state }) => state === 'ringing' || state === 'missed')
  return (
    <>
      <VisuallyHidden role="status">{ringing.map(spoken).join('. ')}</VisuallyHidden>
      {isNeeded && <CallPile shown={shown} onHide={hide} onChanged={read} />}
    </>
  )
}

/** A call hidden while ringing reappears when missed. */
const keyOf = ({ id, state }: IncomingCall) => `${id} ${state === 'missed'}`

/** Announcement for screen readers. */
function spoken({ state, phone, callers }: IncomingCall): string {
  const [caller] = callers
  const who =
    callers.length > 1
      ? `${callers.length} клиента с номером ${phoneText(phone)}`
      : (caller?.fio ?? (phoneText(phone) || 'номер скрыт'))
  return [incomingStates[state], who, caller?.debt ? `долг ${formatMoney(caller.debt)}` : ''].filter(Boolean).join(', ')
}
