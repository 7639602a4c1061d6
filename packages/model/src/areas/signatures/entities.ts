import { PowerOfAttorney, SignatureCertificate } from './certificate.ts'

/** Entities of this area. */
export const entities = [SignatureCertificate, PowerOfAttorney] as const
