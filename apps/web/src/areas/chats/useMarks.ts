import type { ChatMarks } from '@ordinator/model/areas/chats/calls'
import { MOST_LOOKED } from '@ordinator/model/areas/chats/rules'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { api } from '#base/api.ts'
import type { OpenChat } from './tabs.ts'

/** Milliseconds between presence requests of a chat. */
const EVERY = 4_000
const NOBODY: ChatMarks = { visitorWrites: false, people: [] }

/** Colleagues who have these chats open, by chat id; kept fresh while visible. */
export function useChatViewers(ids: readonly number[]): ReadonlyMap<number, ChatMarks['people']> {
  const asked = ids.slice(0, MOST_LOOKED).join(',')
  const { data } = useQuery({
    queryKey: ['chatLookers', asked],
    queryFn: ({ signal }) =>
      api('GET /live-assist/lookers', { query: { ids: asked } }, { signal, quiet: true, forbidden: 'silent' }),
    enabled: asked !== '',
    refetchInterval: EVERY,
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  })
  return new Map(data?.items.map(({ id, people }) => [id, people]))
}

/** Reports that the chat is open, and returns others in it; the returned function reports typing. */
export function useMarks({ id, status }: Pick<OpenChat, 'id' | 'status'>): [ChatMarks, () => void] {
  const [marks, setMarks] = useState(NOBODY)
  const report = useCallback(
    async (writes: boolean) => {
      try {
        return await api(
          'POST /live-assist/:id/marks',
          { params: { id }, body: { writes } },
          { quiet: true, forbidden: 'silent' },
        )
      } catch {
        return NOBODY
      }
    },
    [id],
  )
  useEffect(() => {
    setMarks(NOBODY)
    if (status === 'archive') return
    let isOver = false
    const look = async () => {
      if (document.visibilityState !== 'visible') return
      const found = await report(false)
      if (!isOver) setMarks(found)
    }
    void look()
    const timer = setInterval(() => void look(), EVERY)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [status, report])
  return [marks, () => void report(true)]
}

/** «Кузнецова А. С. и ещё 2». */
export const namesOf = ([first, ...rest]: ChatMarks['people']): string =>
  `${first?.name ?? ''}${rest.length > 0 ? ` и ещё ${rest.length}` : ''}`
