import { Call, CallCheck, CallLeg } from './call.ts'

/** Entities of this area. */
export const entities = [Call, CallCheck, CallLeg] as const
