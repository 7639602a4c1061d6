import { VisuallyHidden } from '@mantine/core'
import { Call, CallLeg, incomingStates } from '@ordinator/model/areas/calls/call'
import type { IncomingCall } from '@ordinator/model/areas/calls/calls'
import { formatMoney } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { EndDialog } from '#areas/appeals/index.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { useAccount } from '#base/session.ts'
import { notify } from '#kit/notify.tsx'
import { useLive } from '#realtime/useLive.ts'
import { invalidateRecords } from '#records/keys.ts'
import { CallCard } from './CallCard.tsx'
import classes from './Incoming.module.css'

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
  const [chosen, setChosen] = useState<number>()
  /** Kept outside the card, so that the dialog stays open when the card disappears. */
  const [ending, setEnding] = useState<{ call: IncomingCall; leaving: boolean }>()
  const hide = (call: IncomingCall) => setHidden((before) => [...before, keyOf(call)])
  const ready = async (call: IncomingCall) => {
    try {
      await api('POST /calls/:id/ready', { params: { id: call.id } }, { forbidden: 'silent' })
      // A call without an outcome keeps its card.
      if (!call.needsEnd) hide(call)
      read()
    } catch (error) {
      notify.error(errorMessage(error))
    }
  }
  const shown = (calls.data?.items ?? []).filter((call) => !hidden.includes(keyOf(call)))
  const open = shown.find(({ id }) => id === chosen) ?? shown.find(({ state }) => state === 'talking') ?? shown[0]
  const ringing = shown.filter(({ state }) => state === 'ringing' || state === 'missed')
  return (
    <>
      <VisuallyHidden role="status">{ringing.map(spoken).join('. ')}</VisuallyHidden>
      {shown.length > 0 && (
        <section className={classes.pile} aria-label="Звонки">
          {shown.map((call) => (
            <CallCard
              key={call.id}
              call={call}
              opened={call === open}
              onOpen={() => setChosen(call.id)}
              onHide={() => hide(call)}
              onEnd={(leaving) => setEnding((now) => now ?? { call, leaving })}
              onChanged={read}
              onReady={() => void ready(call)}
            />
          ))}
        </section>
      )}
      {ending && (
        <EndDialog
          title="Чем закончился звонок?"
          action="Записать"
          cancel={ending.leaving ? 'Позже' : 'Отмена'}
          run={async (body) => {
            await api('POST /calls/:id/end', { params: { id: ending.call.id }, body }, { forbidden: 'silent' })
            await invalidateRecords(cache, Call.path)
            read()
            hide(ending.call)
          }}
          onClose={() => {
            setEnding(undefined)
            if (ending.leaving) hide(ending.call)
          }}
        />
      )}
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
