/** What the parts of the demo catalogue share. */

import type { LabAnalyte, LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import type { Create } from '@ordinator/model/entity'
import type { NormBody } from './demoNorms.ts'

export type TestBody = Create<typeof LabTest> & { analytes: string[]; parts?: string[]; price: number }

export type AnalyteBody = Create<typeof LabAnalyte> & { norms: NormBody[] }

export const notFound = [
  { value: 'не обнаружено', normal: true },
  { value: 'обнаружено', normal: false },
]

export const noMark = [
  { value: 'отрицательно', normal: true },
  { value: 'сомнительно', normal: false },
  { value: 'положительно', normal: false },
]

export interface Making {
  idOwn: number
  idPartner: number
  containerOf: ReadonlyMap<string, number>
  analytes: AnalyteBody[]
  tests: TestBody[]
  analyte(code: string, name: string, more: Partial<AnalyteBody>): void
}

/** Fields of each line of a text. */
export const line = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((one) => one.split('|'))

/** The tube of most tests of blood counts. */
export const violetOf = ({ containerOf }: Making) => containerOf.get('Фиолетовая, ЭДТА') ?? null
