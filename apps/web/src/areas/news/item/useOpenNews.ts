import { News } from '@ordinator/model/areas/news/news'
import type { Expanded } from '@ordinator/model/client'
import { ApiError } from '../../../base/apiError.ts'
import { useRecord } from '../../../records/reads.ts'

export type OpenNews = Expanded<typeof News, 'images' | 'user'>

/** A news item with all that its open view shows. One that was deleted, or is not active any more, is not there. */
export function useOpenNews(id: number | undefined) {
  const answer = useRecord(News, id, { expand: ['images.file', 'user'] }, { forbidden: 'silent' })
  return { ...answer, isMissing: answer.error instanceof ApiError && [403, 404].includes(answer.error.status) }
}
