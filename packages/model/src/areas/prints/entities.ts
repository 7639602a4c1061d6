import { PrintFile, PrintPicture, PrintTemplate } from './printTemplate.ts'

/** Entities of this area. */
export const entities = [PrintFile, PrintTemplate, PrintPicture] as const
