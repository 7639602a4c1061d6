import { examinationStatuses } from '@ordinator/model/areas/examinations/examination'
import { statusMark } from '#kit/statusMark.tsx'

/** Status of an examination, coloured. */
export const StatusMark = statusMark(examinationStatuses, {
  draft: 'yellow-6',
  done: 'blue-6',
  signed: 'teal-6',
  corrected: 'gray-5',
})
