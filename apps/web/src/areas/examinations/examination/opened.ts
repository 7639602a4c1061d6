import type { Examination } from '@ordinator/model/areas/examinations/examination'
import type { Expanded } from '@ordinator/model/client'

export const around = ['customer', 'user', 'signer', 'editor', 'corrects', 'corrections'] as const

export type Opened = Expanded<typeof Examination, (typeof around)[number]>

export interface OpenedProps {
  examination: Opened
  refresh: () => void
}
