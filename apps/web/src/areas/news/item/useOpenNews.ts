import { News } from '@ordinator/model/areas/news/news'
import type { Expanded } from '@ordinator/model/client'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { useCan } from '#records/Can.tsx'
import { retries, useRecord } from '#records/reads.ts'
import { latestNews } from '../newsRow.ts'

export type OpenNews = Expanded<typeof News, 'images' | 'user'>

/** Loads a news item for its view. Deleted and inactive ones are missing. */
export function useOpenNews(id: number | undefined) {
  const mayView = useCan('view', News)
  const kept = useRecord(News, mayView ? id : undefined, { expand: ['images.file', 'user'] }, { forbidden: 'silent' })
  const open = useQuery({
    queryKey: [...latestNews, id],
    queryFn: ({ signal }) =>
      api('GET /dashboard/news-items/:id', { params: { id: id as number } }, { forbidden: 'silent', signal }),
    enabled: !mayView && id !== undefined,
    retry: retries,
  })
  const answer = mayView ? kept : open
  return { ...answer, isMissing: answer.error instanceof ApiError && [403, 404].includes(answer.error.status) }
}
