import type { Examination } from '@ordinator/model/areas/examinations/examination'
import type { Expanded } from '@ordinator/model/client'

export const examinationExpand = ['customer', 'user', 'signer', 'editor', 'corrects', 'corrections'] as const

export type Opened = Expanded<typeof Examination, (typeof examinationExpand)[number]>

export interface OpenedProps {
  examination: Opened
  refresh: () => void
}
