import { EgiszEvent, EgiszOperation, Semd } from './semd.ts'
import { EgiszEdition, EgiszRule, NsiDictionary } from './setUp.ts'

/** Entities of this area. */
export const entities = [Semd, EgiszOperation, EgiszEvent, EgiszEdition, EgiszRule, NsiDictionary] as const
