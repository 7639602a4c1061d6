/** Terms of the clinic's dictionaries (МКБ-10, НСИ) in forms of several areas. */

export { loadTerms, optionOfTerm, termOf } from './terms.ts'
