import type { PortalTime } from '@ordinator/model/areas/portal/bookingCalls'
import type { PortalVisit } from '@ordinator/model/areas/portal/shapes'
import { useState } from 'react'
import { ask, type Refusal } from './ask.ts'
import { Button, Loaded } from './parts.tsx'
import { Times } from './Times.tsx'
import { useAsked } from './useAsked.ts'

/** Moves a visit: free times of the same service and branch. */
export function Move({
  visit,
  patient,
  onMove,
  onLeave,
}: {
  visit: PortalVisit
  patient: number
  onMove: () => void
  onLeave: () => void
}) {
  const asked = useAsked(
    (signal) => ask('GET /portal/visits/:id/times', { params: { id: visit.id }, query: { patient } }, signal),
    `times ${visit.id}`,
  )
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refusal>()
  const move = async ({ idUser: doctor, localDate: day, localStart: start }: PortalTime) => {
    setBusy(true)
    setRefused(undefined)
    try {
      await ask('POST /portal/visits/:id/move', {
        params: { id: visit.id },
        query: { patient },
        body: { doctor, day, start },
      })
      onMove()
    } catch (error) {
      setRefused(error as Refusal)
    }
    setBusy(false)
  }
  return (
    <fieldset className="asks">
      <legend>На какое время перенести?</legend>
      {refused && (
        <p className="wrong" role="alert">
          {refused.message}
        </p>
      )}
      {refused && refused.alternatives.length > 0 ? (
        <Times times={refused.alternatives} busy={busy} onPick={(time) => void move(time)} />
      ) : (
        <Loaded asked={asked}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="quiet">Свободного времени на две недели вперёд нет. Позвоните в клинику.</p>
            ) : (
              <Times times={items} busy={busy} onPick={(time) => void move(time)} />
            )
          }
        </Loaded>
      )}
      <Button tone="plain" onClick={onLeave}>
        Оставить как есть
      </Button>
    </fieldset>
  )
}
