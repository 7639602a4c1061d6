/** What documents are made of: each area that has something to tell the register brings a source. */
import type { SemdSourceKind } from '@ordinator/model/areas/egisz/semd'
import type { Queryable } from '#platform/db.ts'

/** What a source tells of one of its records. Names are those of the templates. */
export interface SourceData {
  title: string
  idCustomer: number
  /** Who signs as the doctor. */
  idUser: number
  idFilial: number | null
  idExamination?: number
  /** ISO with an offset. */
  date: string
  /** Further names of the template: `lab`, `tax`, `sections`. */
  fields: Record<string, unknown>
}

export interface SemdSource {
  kind: SemdSourceKind
  /** @returns undefined: there is no such record, or it is not signed */
  read(db: Queryable, id: number): Promise<SourceData | undefined>
  /** Where a wrong value of these names is put right: the longest beginning of a path wins. */
  mend?: Readonly<Record<string, Mending>>
}

export interface Mending {
  /** What is wanted, in Russian: «Результат теста». */
  label: string
  /** Page of ours; `:id` is the source's record. */
  link: string
}

const sources = new WeakMap<object, Map<SemdSourceKind, SemdSource>>()

function of(app: object): Map<SemdSourceKind, SemdSource> {
  const known = sources.get(app)
  if (known) return known
  const made = new Map<SemdSourceKind, SemdSource>()
  sources.set(app, made)
  return made
}

/** An area says, when it starts, what documents can be made of. @param app the server */
export const registerSemdSource = (app: object, source: SemdSource): void => void of(app).set(source.kind, source)

export const semdSource = (app: object, kind: SemdSourceKind): SemdSource | undefined => of(app).get(kind)
