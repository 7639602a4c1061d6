import type { LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import type { Expanded } from '@ordinator/model/client'

export type Test = Expanded<typeof LabTest, 'laboratory'>

export interface Chosen {
  id: number
  name: string
}
