import { MetrikaCounter, MetrikaGoal, MetrikaUpload } from './metrika.ts'

/** Entities of this area. */
export const entities = [MetrikaCounter, MetrikaGoal, MetrikaUpload] as const
