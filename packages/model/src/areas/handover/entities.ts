import { FilialHandover } from './handover.ts'

/** Entities of this area. */
export const entities = [FilialHandover] as const
