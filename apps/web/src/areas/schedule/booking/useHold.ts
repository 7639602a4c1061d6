import type { Slot } from '@ordinator/model/areas/visits/calls'
import { Hold } from '@ordinator/model/areas/visits/visit'
import { useCallback, useEffect, useRef } from 'react'
import { api } from '../../../base/api.ts'
import { recordsWith } from '../../../base/client.ts'

/** A hold lasts three minutes; it is prolonged while somebody is at it, up to what the server lets. */
const PROLONG_MS = 60_000

const quiet = recordsWith({ forbidden: 'silent', quiet: true })

type HeldTime = Pick<Slot, 'idUser' | 'idFilial' | 'idRoom' | 'localDate' | 'localStart' | 'minutes'>

/** Holds one time while a booking stands open: another choice frees the one before, leaving frees all. */
export function useHold() {
  const held = useRef<number>(undefined)

  const free = useCallback(() => {
    const id = held.current
    held.current = undefined
    // It runs out by itself where this does not arrive.
    if (id !== undefined) void quiet.remove(Hold, id).catch(() => undefined)
  }, [])

  /** Throws what the server refuses: 409 when somebody is there. */
  const hold = useCallback(
    async ({ idUser, idFilial, idRoom, localDate, localStart, minutes }: HeldTime): Promise<void> => {
      free()
      const row = await quiet.create(Hold, { idUser, idFilial, idRoom, localDate, localStart, minutes })
      held.current = row.id
    },
    [free],
  )

  useEffect(() => {
    const timer = setInterval(() => {
      const id = held.current
      if (id !== undefined)
        void api(
          'POST /appointments/holds/:id/prolong',
          { params: { id } },
          { forbidden: 'silent', quiet: true },
        ).catch(() => undefined)
    }, PROLONG_MS)
    return () => {
      clearInterval(timer)
      free()
    }
  }, [free])

  return { hold, free, idHold: () => held.current, spent: () => void (held.current = undefined) }
}
