import { Referrer, ReferrerAct, ReferrerActLine, ReferrerRate } from './referrer.ts'

/** Entities of this area. */
export const entities = [Referrer, ReferrerRate, ReferrerAct, ReferrerActLine] as const
