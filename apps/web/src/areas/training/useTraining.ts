import type { TrainingRoleKey } from '@ordinator/model/areas/training/tasks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Answer, api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { notify } from '#kit/notify.tsx'
import { APP } from '#kit/root.ts'

export type Look = Answer<'GET /staff-training'>

const KEY = ['staff-training']
const MAKING_MS = 2_000

/** The training clinic and this employee's done tasks. */
export const useTraining = () =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api('GET /staff-training', {}, { signal, forbidden: 'silent' }),
    refetchInterval: ({ state }) => (state.data?.state === 'making' ? MAKING_MS : false),
  })

/** Done tasks by employee, for users who manage the staff. */
export const useTrained = (enabled: boolean) =>
  useQuery({
    queryKey: [...KEY, 'people'],
    queryFn: ({ signal }) => api('GET /staff-training/people', {}, { signal, forbidden: 'silent' }),
    enabled,
  })

/** Where the training clinic begins; its sign-in is stored below its own mark. */
const AT = '/training'

/** Enters as a role, at its tasks; while the clinic is being made, waits for it. */
export function useEntering(state: Look['state'] | undefined) {
  const client = useQueryClient()
  const [wanted, setWanted] = useState<TrainingRoleKey>()
  const [waits, setWaits] = useState(false)
  const enter = useMutation({
    mutationFn: async (role: TrainingRoleKey) => {
      const { ticket, ...entered } = await api('POST /staff-training/enter', { body: { role } }, { forbidden: 'toast' })
      client.setQueryData<Look>(KEY, (old) => old && { ...old, ...entered })
      if (!ticket) return entered.state
      const answer = await fetch(`${AT}/staff-training/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ticket }),
      })
      if (!answer.ok) throw new Error('Учебная клиника не открылась. Попробуйте ещё раз.')
      const { accessToken } = (await answer.json()) as { accessToken: string }
      for (const name of Object.keys(localStorage)) if (name.startsWith('training:')) localStorage.removeItem(name)
      localStorage.setItem('training:ordinator:token', accessToken)
      location.assign(`${AT}${APP}/training`)
      return 'ready'
    },
    onSuccess: (reached) => {
      setWaits(reached === 'making')
      if (reached === 'failed') setWanted(undefined)
    },
    onError: (error) => {
      setWanted(undefined)
      notify.error(errorMessage(error))
    },
  })
  const { mutate } = enter
  useEffect(() => {
    if (!wanted || !waits || state === 'making') return
    // One entrance at a time: a second session would end the first.
    setWaits(false)
    if (state === 'ready') mutate(wanted)
    else setWanted(undefined)
  }, [wanted, waits, state, mutate])
  return {
    wanted,
    enter: (role: TrainingRoleKey) => {
      setWanted(role)
      mutate(role)
    },
  }
}

export function useReset() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => api('POST /staff-training/reset', {}, { forbidden: 'toast' }),
    onSuccess: (state) => client.setQueryData<Look>(KEY, (old) => old && { ...old, ...state }),
    onError: (error) => notify.error(errorMessage(error)),
  })
}
