import { PayerContract, ProgrammeRule } from './contract.ts'
import { InsuredPerson } from './insured.ts'
import { PayerRegistry, RegistryLine } from './registry.ts'

/** Entities of this area. */
export const entities = [PayerContract, ProgrammeRule, InsuredPerson, PayerRegistry, RegistryLine] as const
