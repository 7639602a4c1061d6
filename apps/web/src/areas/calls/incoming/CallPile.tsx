import { Call } from '@ordinator/model/areas/calls/call'
import type { IncomingCall } from '@ordinator/model/areas/calls/calls'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { EndDialog } from '#areas/appeals/index.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { CallCard } from './CallCard.tsx'
import classes from './Incoming.module.css'

interface Props {
  shown: readonly IncomingCall[]
  onHide: (call: IncomingCall) => void
  onChanged: () => void
}

/** Cards of the calls, one of them open, and the dialog that asks for the outcome of one. */
export default function CallPile({ shown, onHide, onChanged }: Props) {
  const cache = useQueryClient()
  const [chosen, setChosen] = useState<number>()
  /** Kept outside the card, so that the dialog stays open when the card disappears. */
  const [ending, setEnding] = useState<{ call: IncomingCall; leaving: boolean }>()
  const ready = async (call: IncomingCall) => {
    try {
      await api('POST /calls/:id/ready', { params: { id: call.id } }, { forbidden: 'silent' })
      // A call without an outcome keeps its card.
      if (!call.needsEnd) onHide(call)
      onChanged()
    } catch (error) {
      notify.error(errorMessage(error))
    }
  }
  const open = shown.find(({ id }) => id === chosen) ?? shown.find(({ state }) => state === 'talking') ?? shown[0]
  return (
    <>
      {shown.length > 0 && (
        <section className={classes.pile} aria-label="Звонки">
          {shown.map((call) => (
            <CallCard
              key={call.id}
              call={call}
              opened={call === open}
              onOpen={() => setChosen(call.id)}
              onHide={() => onHide(call)}
              onEnd={(leaving) => setEnding((now) => now ?? { call, leaving })}
              onChanged={onChanged}
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
            onChanged()
            onHide(ending.call)
          }}
          onClose={() => {
            setEnding(undefined)
            if (ending.leaving) onHide(ending.call)
          }}
        />
      )}
    </>
  )
}
