import { Appeal, AppealCause, AppealLink, AppealTag } from './appeal.ts'
import { Outcome } from './outcome.ts'

/** Entities of this area. */
export const entities = [Appeal, AppealLink, AppealTag, AppealCause, Outcome] as const
