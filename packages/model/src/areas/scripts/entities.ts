import { OldScript, ScriptGroup } from './script.ts'

/** Entities of this area. */
export const entities = [ScriptGroup, OldScript] as const
