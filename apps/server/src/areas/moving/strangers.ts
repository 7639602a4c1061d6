/** Cards made of rows with new patients, by the importer of cards. */
import { Customer } from '@ordinator/model/areas/customers/customer'
import { type ImportContext, importerOf } from '#areas/imports/index.ts'
import type { MovingContext, Person, StrangerIds, Work, Written } from './table.ts'
import { writeAll } from './tables/adapted.ts'

/** The persons of a portion by their placeholder ids, which are negative. */
export class Strangers implements StrangerIds {
  readonly #ids = new Map<string, number>()
  readonly #persons: Person[] = []

  /** The placeholder of a person; rows of one person share it. */
  of(person: Person): number {
    const known = this.#ids.get(person.label)
    if (known !== undefined) return known
    const id = -(this.#persons.push(person) as number)
    this.#ids.set(person.label, id)
    return id
  }

  at(id: number): Person {
    return this.#persons[-id - 1] as Person
  }
}

/** Fields of values that refer to a card. */
const OWNERS = ['idCustomer', 'idBuyer', 'idRelative'] as const
type Held = Record<string, unknown>

const placesOf = (held: Held): { of: Held; field: string }[] =>
  [held, ...(typeof held.body === 'object' && held.body ? [held.body as Held] : [])].flatMap((of) =>
    OWNERS.flatMap((field) => (typeof of[field] === 'number' && (of[field] as number) < 0 ? [{ of, field }] : [])),
  )

/**
 * Makes the cards that works refer to by placeholders and puts their ids there.
 * @returns made records, and the errors of works with a refused card
 */
export async function makeStrangers(
  context: MovingContext,
  works: readonly Work<unknown>[],
): Promise<{ made: { path: string; id: number }[]; refused: Map<Work<unknown>, Written['errors']> }> {
  const { app, records, tx, strangers, file } = context
  const refused = new Map<Work<unknown>, Written['errors']>()
  const places = works
    .map((work) => ({ work, places: placesOf(work.values as Held) }))
    .filter((one) => one.places.length)
  if (places.length === 0) return { made: [], refused }
  const importer = importerOf(app, Customer.path)
  const ids = [...new Set(places.flatMap((one) => one.places.map(({ of, field }) => of[field] as number)))]
  const persons = ids.map((id) => strangers.at(id))
  const given: ImportContext<unknown> = {
    records,
    tx,
    params: importer.params.parse({ twins: 'create', createSources: false }),
    fileName: file.fileName,
    known: new Map(),
  }
  const ready = await importer.open(
    given,
    persons.map(({ cells }) => cells),
  )
  const checked = persons.map(({ cells }) => importer.check(ready, cells))
  const good = checked.flatMap(({ values }, at) => (values === undefined ? [] : [{ at, values }]))
  const written = await writeAll(
    importer,
    given,
    ready,
    good.map(({ values }) => values),
  )
  const cards = new Map<number, number>()
  const errors = new Map<number, Written['errors']>()
  for (const [at, { errors: wrong }] of checked.entries()) if (wrong?.length) errors.set(ids[at] as number, wrong)
  for (const [n, { at, values }] of good.entries()) {
    const one = written[n]
    const id = one?.made && importer.keyed?.idOf(values, one.made)
    if (id) cards.set(ids[at] as number, id)
    else errors.set(ids[at] as number, one?.errors ?? [{ field: '', message: 'Карта не заведена' }])
  }
  for (const { work, places: some } of places)
    for (const { of, field } of some) {
      const id = of[field] as number
      const card = cards.get(id)
      if (card) of[field] = card
      else refused.set(work, errors.get(id))
    }
  return { made: written.flatMap(({ made = [] }) => made), refused }
}
