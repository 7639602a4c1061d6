import type { Slot } from '@ordinator/model/areas/visits/calls'
import { minutesOf } from '@ordinator/model/areas/visits/clock'
import { slotText } from '../slots.ts'

interface Hanging {
  id: number
  minutes: number
  /** Possible times, the best first. */
  slots: readonly Slot[]
  /** Manual choice as `slotText`; '' keeps the visit. */
  chosen: string | undefined
}

/** Assigns distinct times to several visits: manual choices first, then the best remaining. */
export function offersFor(visits: readonly Hanging[]): Map<number, Slot> {
  const offers = new Map<number, Slot>()
  const taken: { idUser: number; localDate: string; from: number; to: number }[] = []
  const spanOf = ({ idUser, localDate, localStart }: Slot, minutes: number) => {
    const from = minutesOf(localStart) ?? 0
    return { idUser, localDate, from, to: from + minutes }
  }
  const take = ({ id, minutes }: Hanging, slot: Slot) => {
    offers.set(id, slot)
    taken.push(spanOf(slot, minutes))
  }
  for (const visit of visits) {
    const slot = visit.slots.find((one) => slotText(one) === visit.chosen)
    if (slot) take(visit, slot)
  }
  for (const visit of visits) {
    if (visit.chosen !== undefined) continue
    const slot = visit.slots.find((one) => {
      const span = spanOf(one, visit.minutes)
      return !taken.some(
        (other) =>
          other.idUser === span.idUser &&
          other.localDate === span.localDate &&
          other.from < span.to &&
          span.from < other.to,
      )
    })
    if (slot) take(visit, slot)
  }
  return offers
}
