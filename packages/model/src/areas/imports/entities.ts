import { Import } from './import.ts'

/** Entities of this area. */
export const entities = [Import] as const
