import { Backup } from './backup.ts'

/** Entities of this area. */
export const entities = [Backup] as const
