import type { Filial } from '@ordinator/model/areas/filials/filial'
import { namesFilial, numberText, periodOf, type Sequence } from '@ordinator/model/areas/filials/sequence'
import type { Row } from '@ordinator/model/entity'
import { dayIn, zoneFor } from '@ordinator/model/zone'
import { zoneNow } from '#kit/clock.ts'

export type Branch = Pick<Row<typeof Filial>, 'id' | 'nameFilial' | 'filialCode' | 'timeZone'>
type Counted = Pick<Row<typeof Sequence>, 'mask' | 'reset' | 'perFilial' | 'counters'>

export interface NextNumber {
  /** Absent: the whole clinic. */
  branch: Branch | undefined
  next: number
  /** Formatted number. */
  text: string
}

/** Today's next number of each counter; per branch with a code if the mask contains it. */
export function nextNumbers({ mask, reset, perFilial, counters }: Counted, branches: readonly Branch[]): NextNumber[] {
  const of = (branch: Branch | undefined): NextNumber => {
    const day = dayIn(zoneFor(zoneNow(), branch?.timeZone), Date.now())
    const idFilial = perFilial ? (branch?.id ?? null) : null
    const counter = counters.find((one) => one.idFilial === idFilial)
    const next = counter?.period === periodOf(reset, day) ? counter.next : 1
    return { branch, next, text: numberText(mask, { filial: branch?.filialCode ?? '', day, number: next }) }
  }
  if (!perFilial && !namesFilial(mask)) return [of(undefined)]
  return branches.filter(({ filialCode }) => filialCode).map(of)
}
