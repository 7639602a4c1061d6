import type { Slot } from '@ordinator/model/areas/visits/calls'
import { Hold } from '@ordinator/model/areas/visits/visit'
import { useCallback, useEffect, useRef } from 'react'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'

/** Renewal interval: a hold lasts three minutes, and can be renewed up to the server's limit. */
const PROLONG_MS = 60_000

const quiet = recordsWith({ forbidden: 'silent', quiet: true })

type HeldTime = Pick<Slot, 'idUser' | 'idFilial' | 'idRoom' | 'localDate' | 'localStart' | 'minutes'>

/** Holds the chosen time while a booking is open: another choice releases the former hold, closing releases all. */
export function useHold() {
  const held = useRef<number[]>([])

  const free = useCallback(() => {
    const ids = held.current
    held.current = []
    // An unreleased hold expires.
    for (const id of ids) void quiet.remove(Hold, id).catch(() => undefined)
  }, [])

  /** Holds all of these times or none. Throws the server's refusal: 409 if taken. */
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
