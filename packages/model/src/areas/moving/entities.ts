import { Move, MoveFile, MoveProfile, PastVisit } from './move.ts'

/** Entities of this area. */
export const entities = [Move, MoveFile, MoveProfile, PastVisit] as const
