import { News } from '@ordinator/model/areas/news/news'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#base/api.ts'
import { changeRecord } from '#records/cached.ts'
import { invalidateRecords } from '#records/keys.ts'
import { latestNews, type NewsRow } from '../newsRow.ts'

/** Milliseconds of visibility until an item counts as read. */
const READ_AFTER_MS = 2_000

/** Marks an open active item as read after a while. */
export function useReadMark({ id, active, isRead }: Pick<NewsRow, 'id' | 'active' | 'isRead'>): void {
  const cache = useQueryClient()
  const due = active && !isRead
  useEffect(() => {
    if (!due) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const mark = async () => {
      try {
        await api('POST /news/:id/read', { params: { id } }, { forbidden: 'silent', quiet: true })
        await changeRecord(cache, News.path, id, { isRead: true })
        await invalidateRecords(cache, News.path)
        await cache.invalidateQueries({ queryKey: latestNews })
      } catch {
        // Retried at the next opening.
      }
    }
    const watch = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(() => void mark(), READ_AFTER_MS)
    }
    watch()
    document.addEventListener('visibilitychange', watch)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', watch)
    }
  }, [cache, id, due])
}
