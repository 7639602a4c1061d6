import { type OperatorState, operatorStates } from '@ordinator/model/areas/chats/liveAssist'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { tellFailure } from '#records/tellFailure.ts'

export type Duty = Answer<'POST /live-assist/presence'>

/** How often a program whose operator is there says so. */
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

/** Tells that one is there, and whether anything has been done since it was told last. */
async function tell(signal?: AbortSignal): Promise<Duty> {
  const active = moved
  moved = false
  try {
    return await api('POST /live-assist/presence', { body: { active } }, { signal, quiet: true, forbidden: 'silent' })
  } catch (error) {
    moved ||= active
    throw error
  }
}

/** Whether one takes chats, kept alive while one does, in hidden windows too. */
export const useDuty = (enabled = true): Duty | undefined =>
  useQuery({
    queryKey,
    queryFn: ({ signal }) => tell(signal),
    enabled,
    staleTime: EVERY_MS / 2,
    refetchInterval: ({ state: { data } }) => (data?.status === 'offline' ? false : EVERY_MS),
    refetchIntervalInBackground: true,
  }).data

/** Changes what one has chosen. */
export function useChooseDuty(): (status: OperatorState) => Promise<void> {
  const cache = useQueryClient()
  return async (status) => {
    try {
      const body = { status, active: true }
      cache.setQueryData(queryKey, await api('POST /live-assist/presence', { body }, { forbidden: 'toast' }))
    } catch (error) {
      tellFailure(error as Error)
    }
  }
}

/** What is said of a state; who is away without having chosen it is told why. */
export const dutyWords = ({ status, state }: Pick<Duty, 'status' | 'state'>): string =>
  state === 'away' && status === 'online' ? 'Отошёл: давно ничего не делали' : operatorStates[state]
