import type { Slot } from '@ordinator/model/areas/visits/calls'
import { Hold } from '@ordinator/model/areas/visits/hold'
import { useCallback, useEffect, useRef } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'

/** Renewal interval: a hold lasts three minutes, and can be renewed up to the server's limit. */
const PROLONG_MS = 60_000

const quiet = recordsWith({ forbidden: 'silent', quiet: true })

type HeldTime = Pick<Slot, 'idUser' | 'idFilial' | 'idRoom' | 'localDate' | 'localStart' | 'minutes'>

/** Holds the chosen time while a booking is open: another choice releases the former hold, closing releases all. */
export function useHold() {
  const held = useRef<number[]>([])
  const isSpending = useRef(false)

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
    const prolong = (id: number) =>
      api('POST /appointments/holds/:id/prolong', { params: { id } }, { forbidden: 'silent', quiet: true }).catch(
        (error) => {
          // Without an answer the next turn tries again; a hold that is gone is neither prolonged nor released.
          if (error instanceof ApiError && (error.status === 404 || error.status === 409))
            held.current = held.current.filter((one) => one !== id)
        },
      )
    const timer = setInterval(() => {
      if (!isSpending.current) for (const id of held.current) void prolong(id)
    }, PROLONG_MS)
    return () => {
      clearInterval(timer)
      free()
    }
  }, [free])

  /** Books the held times, which removes their holds: meanwhile they are not prolonged, afterwards not released. */
  const spend = useCallback(async <T>(book: () => Promise<T>): Promise<T> => {
    isSpending.current = true
    try {
      const made = await book()
      held.current = []
      return made
    } finally {
      isSpending.current = false
    }
  }, [])

  return { hold, free, idHold: () => held.current[0], spend }
}
