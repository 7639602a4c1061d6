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
/** While a call is shown, and a while after: its end is written when the exchange is sure of it. */
const LOOK_EVERY_MS = 2_000
const LOOK_AFTER_MS = 15_000

/**
 * Calls that come to the employee, over whatever page is open: it takes neither the focus nor what is typed. One that
 * somebody else answers goes away, one that nobody answers says so.
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
    meta: { tells: true },
  })
  useLive(CallLeg.path, read, { filter: { idUser: identity.id }, onReset: read })
  const [hidden, setHidden] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<number>()
  /** Its card may go while one types: what is typed stays. */
  const [ending, setEnding] = useState<{ call: IncomingCall; leaving: boolean }>()
  const hide = (call: IncomingCall) => setHidden((before) => [...before, keyOf(call)])
  const ready = async (call: IncomingCall) => {
    try {
      await api('POST /calls/:id/ready', { params: { id: call.id } }, { forbidden: 'silent' })
      // What is still to be said of the call keeps its card.
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

/** One that was put aside while it rang comes again when it is missed. */
const keyOf = ({ id, state }: IncomingCall) => `${id} ${state === 'missed'}`

/** As a colleague would say it. */
function spoken({ state, phone, callers }: IncomingCall): string {
  const [caller] = callers
  const who =
    callers.length > 1
      ? `${callers.length} клиента с номером ${phoneText(phone)}`
      : (caller?.fio ?? (phoneText(phone) || 'номер скрыт'))
  return [incomingStates[state], who, caller?.debt ? `долг ${formatMoney(caller.debt)}` : ''].filter(Boolean).join(', ')
}
