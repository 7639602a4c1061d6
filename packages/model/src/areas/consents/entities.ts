import { Consent, ConsentTemplate, ConsentVersion } from './consent.ts'
import { Incident } from './incident.ts'
import { PatientRequest } from './request.ts'

/** Entities of this area. */
export const entities = [ConsentTemplate, ConsentVersion, Consent, PatientRequest, Incident] as const
