import type { Slot } from '@ordinator/model/areas/visits/calls'
import { Hold } from '@ordinator/model/areas/visits/visit'
import { useCallback, useEffect, useRef } from 'react'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'

/** A hold lasts three minutes; it is prolonged while somebody is at it, up to what the server lets. */
const PROLONG_MS = 60_000

const quiet = recordsWith({ forbidden: 'silent', quiet: true })

type HeldTime = Pick<Slot, 'idUser' | 'idFilial' | 'idRoom' | 'localDate' | 'localStart' | 'minutes'>

/** Holds what is chosen while a booking stands open: another choice frees the one before, leaving frees all. */
export function useHold() {
  const held = useRef<number[]>([])

  const free = useCallback(() => {
    const ids = held.current
    held.current = []
    // It runs out by itself where this does not arrive.
    for (const id of ids) void quiet.remove(Hold, id).catch(() => undefined)
  }, [])

  /** Of all these times or of none. Throws what the server refuses: 409 when somebody is there. */
  const hold = useCallback(
    async (times: readonly HeldTime[]): Promise<void> => {
      free()
      try {
        for (const { idUser, idFilial, idRoom, localDate, localStart, minutes } of times) {
          const row = await quiet.create(Hold, { idUser, idFilial, idRoom, localDate, localStart, minutes })
          held.current = [...held.current, row.id]
        }
      } catch (error) {
        free()
        throw error
      }
    },
    [free],
  )

  useEffect(() => {
    const timer = setInterval(() => {
      for (const id of held.current)
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

  return { hold, free, idHold: () => held.current[0], spent: () => void (held.current = []) }
}
