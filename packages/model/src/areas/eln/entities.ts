import { CaredPerson, NumberRequest, SickLeave, SickNumber, SickPeriod } from './sickLeave.ts'
import { SnilsQuery } from './snils.ts'

/** Entities of this area. */
export const entities = [SickLeave, SickPeriod, CaredPerson, NumberRequest, SickNumber, SnilsQuery] as const
