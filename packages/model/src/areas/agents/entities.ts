import { DeskAgent } from './agent.ts'

/** Entities of this area. */
export const entities = [DeskAgent] as const
