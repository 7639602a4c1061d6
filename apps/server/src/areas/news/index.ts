import type { Area } from '#records/area.ts'
import { newsComments } from './comments.ts'
import { demo } from './demo.ts'
import { startImageJob } from './imageJob.ts'
import { intakeOperations, newsIntakes } from './intake.ts'
import { newsFiles, newsImages, newsReads, newsRecords } from './news.ts'
import { readOperations } from './reads.ts'

export { takePost } from './intake.ts'

/** News of the clinic and of its outside pages. */
export const news: Area = {
  name: 'news',
  title: 'Новости',
  records: [newsIntakes, newsRecords, newsFiles, newsImages, newsReads, newsComments],
  operations: [...readOperations, ...intakeOperations],
  start: startImageJob,
  demo,
}
