import type { Area } from '../../records/area.ts'
import { newsComments, newsFiles, newsImages, newsIntakes, newsReads, newsRecords } from './news.ts'

/** News of the clinic and of its outside pages. */
export const news: Area = {
  name: 'news',
  records: [newsIntakes, newsRecords, newsFiles, newsImages, newsReads, newsComments],
}
