import { type OperatorState, operatorStates } from '@ordinator/model/areas/chats/liveAssist'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { notifyFailure } from '#records/notifyFailure.ts'

export type Duty = Answer<'POST /live-assist/presence'>

/** Interval of presence requests. */
const EVERY_MS = 30_000
const queryKey = ['chatDuty']

let moved = false
for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel'])
  addEventListener(
    kind,
    () => {
      moved = true
    },
    { passive: true, capture: true },
  )

/** Reports presence, and activity since the last report. */
async function reportPresence(signal?: AbortSignal): Promise<Duty> {
  const active = moved
  moved = false
  try {
    return await api('POST /live-assist/presence', { body: { active } }, { signal, quiet: true, forbidden: 'silent' })
  } catch (error) {
    moved ||= active
    throw error
  }
}

/** The operator's status; keeps reporting presence, also in hidden windows. */
export const useDuty = (enabled = true): Duty | undefined =>
  useQuery({
    queryKey,
    queryFn: ({ signal }) => reportPresence(signal),
    enabled,
    staleTime: EVERY_MS / 2,
    refetchInterval: ({ state: { data } }) => (data?.status === 'offline' ? false : EVERY_MS),
    refetchIntervalInBackground: true,
  }).data

/** Changes the chosen status. */
export function useChooseDuty(): (status: OperatorState) => Promise<void> {
  const cache = useQueryClient()
  return async (status) => {
    try {
      const body = { status, active: true }
      cache.setQueryData(queryKey, await api('POST /live-assist/presence', { body }, { forbidden: 'toast' }))
    } catch (error) {
      notifyFailure(error as Error)
    }
  }
}

/** Text of a status, with the reason for an automatic «away». */
export const dutyWords = ({ status, state }: Pick<Duty, 'status' | 'state'>): string =>
  state === 'away' && status === 'online' ? 'Отошёл: давно ничего не делали' : operatorStates[state]
