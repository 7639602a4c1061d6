/** Registry of document sources: each area with documents for the register adds one. */
import type { SemdSourceKind } from '@ordinator/model/areas/egisz/semd'
import type { Queryable } from '#platform/db.ts'

/** Data of a source record. Names are those of the templates. */
export interface SourceData {
  title: string
  idCustomer: number
  /** The doctor who signs. */
  idUser: number
  idFilial: number | null
  idExamination?: number
  /** ISO with an offset. */
  date: string
  /** Additional names for the template: `lab`, `tax`, `sections`. */
  fields: Record<string, unknown>
}

export interface SemdSource {
  kind: SemdSourceKind
  /** @returns undefined if there is no such record, or it is not signed */
  read(db: Queryable, id: number): Promise<SourceData | undefined>
  /** Places to correct values, by name: the longest matching path prefix applies. */
  mend?: Readonly<Record<string, Mending>>
}

export interface Mending {
  /** Name of the value, in Russian: «Результат теста». */
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

/** Registers the documents of an area at startup. @param app the server */
export const registerSemdSource = (app: object, source: SemdSource): void => void of(app).set(source.kind, source)

export const semdSource = (app: object, kind: SemdSourceKind): SemdSource | undefined => of(app).get(kind)
