import type { HandoverPart } from '@ordinator/model/areas/centre/calls'
import { counted } from '@ordinator/model/format'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Answer, api } from '#base/api.ts'
import { notify } from '#kit/notify.tsx'
import { notifyFailure } from '#records/notifyFailure.ts'

export type Handover = Answer<'GET /shift-handover'>
type Counts = Handover['counts']

const KEY = ['shiftHandover']

/** Parts for a handover, and possible successors. @param to the chosen successor */
export const useHandover = (to: number | null, enabled = true) =>
  useQuery({
    queryKey: [...KEY, to],
    queryFn: ({ signal }) =>
      api('GET /shift-handover', { query: to === null ? {} : { to } }, { signal, forbidden: 'silent' }),
    placeholderData: keepPreviousData,
    enabled,
  })

export const useHandoverChanged = () => {
  const cache = useQueryClient()
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: KEY }),
      cache.invalidateQueries({ queryKey: ['promises'] }),
      cache.invalidateQueries({ queryKey: ['records'] }),
    ])
}

/** Undoes a handover, except for records changed since. */
export function useUndoHandover(): (id: number) => Promise<void> {
  const changed = useHandoverChanged()
  return async (id) => {
    try {
      const { counts } = await api('POST /shift-handover/:id/undo', { params: { id } }, { forbidden: 'toast' })
      notify.success(
        countsText(counts) ? `Вернулось к вам: ${countsText(counts)}` : 'Возвращать уже нечего: всем занялся коллега',
      )
    } catch (error) {
      notifyFailure(error as Error)
    }
    await changed()
  }
}

const forms: Record<HandoverPart, readonly [string, string, string]> = {
  chats: ['чат', 'чата', 'чатов'],
  online: ['диалог с пациентом', 'диалога с пациентами', 'диалогов с пациентами'],
  calls: ['звонок', 'звонка', 'звонков'],
  appeals: ['обращение', 'обращения', 'обращений'],
  tasks: ['задача', 'задачи', 'задач'],
}

/** «3 чата, 1 звонок»; empty for zero. */
export const countsText = (counts: Counts): string =>
  (Object.keys(forms) as HandoverPart[])
    .filter((part) => counts[part] > 0)
    .map((part) => counted(counts[part], forms[part]))
    .join(', ')
