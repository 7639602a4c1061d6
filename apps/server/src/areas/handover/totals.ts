import { type MoveSum, moveSums } from '@ordinator/model/areas/moving/tables'

/** Sums by kind as the reconciliation of a move counts them, with how many patients have them. */
export class Totals {
  readonly #sums = new Map<MoveSum, { kopecks: number; people: Set<number> }>()

  /** @param idCustomer the patient; of certificates: the buyer */
  add(kind: MoveSum, idCustomer: number, kopecks: number): void {
    const own = this.#sums.get(kind) ?? { kopecks: 0, people: new Set() }
    own.kopecks += kopecks
    own.people.add(idCustomer)
    this.#sums.set(kind, own)
  }

  /** In rubles, in the order of the reconciliation. */
  sums(): { kind: MoveSum; people: number; sum: number }[] {
    return (Object.keys(moveSums) as MoveSum[]).flatMap((kind) => {
      const own = this.#sums.get(kind)
      return own && own.kopecks !== 0 ? [{ kind, people: own.people.size, sum: own.kopecks / 100 }] : []
    })
  }
}
